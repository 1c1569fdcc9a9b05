import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactNode, type DragEvent, useState } from 'react';
import type { Collection } from '#contract/resources/collection.ts';
import { collectionsQuery } from '#web/api/queries/collections.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { queryError } from '#web/api/api-errors.ts';
import { CollectionCover } from '#web/media/library/collections/collection-cover.tsx';
import { useCollect } from '#web/media/library/collections/use-collect.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { IconButton } from '#web/ui/controls/icon-button.tsx';
import { Skeleton } from '#web/ui/display/skeleton.tsx';
import { FIRST_PLACES, LAST_PLACES } from './library-places.ts';
import { droppedMediaIds, isMediaDrag } from '#web/media/library/drag-media.ts';

interface LibraryRailProps {
  place: string;
  onCreate: (media_ids?: readonly string[]) => void;
}

/** Otherwise the router marks the link to all media as the open page, whatever its search parameters. */
const EXACT = { activeOptions: { exact: true, includeSearch: true } };

const itemClass =
  'flex h-8 items-center gap-2.5 rounded-md px-2 text-sm text-ink-2 transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-press aria-[current=page]:font-medium aria-[current=page]:text-ink [&>svg]:size-4 [&>svg]:flex-none [&>svg]:text-ink-3 data-[over]:inset-ring-2 data-[over]:inset-ring-amber data-[over]:bg-hover';

export function LibraryRail({ place, onCreate }: LibraryRailProps) {
  const collections = useQuery(collectionsQuery);
  const canChange = useCan('work.create');
  const places = (list: typeof FIRST_PLACES) =>
    list.map(({ place: each, label, icon: Icon, link }) => (
      <li key={each}>
        <Link {...link} {...EXACT} aria-current={each === place ? 'page' : undefined} className={itemClass}>
          <Icon aria-hidden="true" />
          {label}
        </Link>
      </li>
    ));
  return (
    <nav
      aria-label="Library"
      className="sticky top-6 hidden max-h-[calc(100dvh-3rem)] w-48 flex-none flex-col gap-5 overflow-y-auto overscroll-contain pb-2 @5xl/library:flex"
    >
      <ul className="flex flex-col gap-0.5">{places(FIRST_PLACES)}</ul>
      <section aria-labelledby="library-collections" className="flex flex-col gap-1">
        <div className="flex h-7 items-center justify-between pl-2">
          <h2 id="library-collections" className="text-xs font-medium text-ink-3">
            Collections
          </h2>
          {canChange ? <NewCollectionButton onCreate={onCreate} /> : null}
        </div>
        {collections.data ? (
          <CollectionList collections={collections.data} place={place} canChange={canChange} />
        ) : queryError(collections) ? (
          <p className="px-2 text-sm text-ink-3">
            Not loaded.{' '}
            <Button size="sm" variant="ghost" onClick={() => void collections.refetch()}>
              Try again
            </Button>
          </p>
        ) : (
          <Skeleton className="mx-2 h-6" />
        )}
      </section>
      <ul className="flex flex-col gap-0.5">{places(LAST_PLACES)}</ul>
    </nav>
  );
}

function NewCollectionButton({ onCreate }: Pick<LibraryRailProps, 'onCreate'>) {
  const { isOver, handlers } = useMediaDrop(onCreate);
  return (
    <IconButton
      {...handlers}
      size="sm"
      label="New collection"
      pressed={isOver || undefined}
      icon={<Plus aria-hidden="true" className="size-4" />}
      onClick={() => onCreate()}
    />
  );
}

interface CollectionListProps {
  collections: readonly Collection[];
  place: string;
  canChange: boolean;
}

function CollectionList({ collections, place, canChange }: CollectionListProps) {
  if (collections.length === 0)
    return (
      <p className="px-2 text-sm text-pretty text-ink-3">
        {canChange ? 'Group files: drag them onto +.' : 'None yet.'}
      </p>
    );
  return (
    <ul className="flex flex-col gap-0.5">
      {collections.map((collection) => (
        <CollectionItem
          key={collection.id}
          collection={collection}
          isOpen={collection.id === place}
          canChange={canChange}
        />
      ))}
    </ul>
  );
}

interface CollectionItemProps {
  collection: Collection;
  isOpen: boolean;
  canChange: boolean;
}

function CollectionItem({ collection, isOpen, canChange }: CollectionItemProps): ReactNode {
  const collect = useCollect();
  const { isOver, handlers } = useMediaDrop((media_ids) => void collect(collection, media_ids), canChange);
  return (
    <li>
      <Link
        to="/library"
        search={{ collection: collection.id }}
        {...EXACT}
        aria-current={isOpen ? 'page' : undefined}
        data-over={isOver || undefined}
        draggable={false}
        {...handlers}
        className={cx(itemClass, 'group')}
      >
        <CollectionCover collection={collection} className="size-5" />
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {collection.name}
        </span>
        <span className="text-xs font-normal text-ink-3 tabular-nums">{formatNumber(collection.media_count)}</span>
      </Link>
    </li>
  );
}

/** Makes an element take media that are dragged onto it. */
function useMediaDrop(onDropMedia: (media_ids: readonly string[]) => void, enabled = true) {
  const [isOver, setOver] = useState(false);
  if (!enabled) return { isOver: false, handlers: {} };
  const accept = (event: DragEvent) => {
    if (!isMediaDrag(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    setOver(true);
  };
  return {
    isOver,
    handlers: {
      onDragEnter: accept,
      onDragOver: accept,
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        setOver(false);
        if (!isMediaDrag(event)) return;
        event.preventDefault();
        const mediaIds = droppedMediaIds(event);
        if (mediaIds.length > 0) onDropMedia(mediaIds);
      },
    },
  };
}
