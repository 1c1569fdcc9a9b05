import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import type { LibrarySearch } from './library-search.ts';
import type { LibraryAddress } from './use-library-address.ts';

const Viewer = lazyComponent(async () => (await import('./viewer/viewer.tsx')).Viewer);
const CompareDialog = lazyComponent(async () => (await import('#web/media/compare/compare-dialog.tsx')).CompareDialog);

export const preloadViewer = Viewer.preload;

interface OpenMediaProps {
  search: LibrarySearch;
  address: LibraryAddress;
  list: { rows: readonly MediaItem[]; hasMore: boolean; onNearEnd: () => void };
  onClosed: (id: string) => void;
  onCollect: (mediaIds: readonly string[]) => void;
  onDeleted: (ids: ReadonlySet<string>) => void;
}

export function OpenMedia({
  search: { item, show, compare, link },
  address,
  list,
  onClosed,
  onCollect,
  onDeleted,
}: OpenMediaProps) {
  const { open } = address;
  const router = useRouter();
  const closesBack = useRouterState({ select: ({ location }) => location.state.closesBack === true });
  const last = useRef<string>(undefined);
  const closed = useEffectEvent(onClosed);
  useEffect(() => {
    // Focus can only move once the modal dialog is gone.
    if (!item && last.current) closed(last.current);
    last.current = item;
  }, [item]);
  const [one, other] = compare?.split(',') ?? [];
  if (item)
    return (
      <Viewer
        id={item}
        show={show}
        shareId={link}
        media={list.rows}
        hasMore={list.hasMore}
        onNearEnd={list.onNearEnd}
        onGo={(id) => open({ item: id, show }, true)}
        onShow={(next) => open({ item, show: next }, true)}
        onClose={() => open({}, true)}
        onCollect={() => onCollect([item])}
        onDeleted={onDeleted}
      />
    );
  if (!one || !other) return null;
  return (
    <CompareDialog
      ids={[one, other]}
      onSwap={() => open({ compare: [other, one].join() }, true)}
      onOpen={(id) => open({ item: id })}
      onClose={() => (closesBack ? router.history.back() : open({}, true))}
    />
  );
}
