import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { mediaTitle } from '#web/media/library/media-labels.ts';
import { ContinueChips } from '#web/media/outputs/continue-chips.tsx';
import { useMoveToTrash } from '#web/media/library/selection/use-move-to-trash.ts';
import { useToggleStar } from '#web/media/library/use-toggle-star.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { mediaQuery } from '#web/api/queries/media.ts';
import { openShareDialog } from '#web/forms/shares/open-share-dialog.ts';
import { useCommands, type Command, viewCommand } from '#web/ui/hooks/commands.ts';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { Modal } from '#web/ui/overlays/modal.tsx';
import type { LibrarySearch } from '../library-search.ts';
import { MediaDetailsPanel } from './media-details-panel.tsx';
import { MediaStage } from './media-stage.tsx';
import { ViewerBar } from './viewer-bar.tsx';
import { LineageSkeleton, MediaUnavailable, ViewerNavigation } from './viewer-parts.tsx';

/** Survives closing the viewer, but not the page. Unset until toggled: then the width of the window decides. */
const viewerState: { details?: boolean } = {};
const rememberDetails = (details: boolean): void => void Object.assign(viewerState, { details });

interface ViewerActions {
  step: (by: 1 | -1) => void;
  details: () => void;
  lineage: () => void;
  /** null: the role may not change media. */
  change: { star: () => void; collect: () => void; remove: () => void } | null;
}

const group = 'Viewer';

function viewerCommands({ step, details, lineage, change }: ViewerActions): Command[] {
  const command = viewCommand(group);
  return [
    command('arrowright', 'Next', () => step(1)),
    command('arrowleft', 'Previous', () => step(-1)),
    command('i', 'Details', details),
    command('l', 'Lineage', lineage),
    ...(change
      ? [
          command('f', 'Star', change.star),
          command('a', 'Add to collection', change.collect),
          command('delete', 'Delete', change.remove),
        ]
      : []),
  ];
}

const Lineage = lazyComponent(async () => (await import('../lineage/lineage.tsx')).Lineage);

/** More files are loaded when fewer are left to step to. */
const NEAR_END = 5;

interface ViewerProps {
  id: string;
  show: 'lineage' | undefined;
  /** Only the answers on this page are shown. */
  shareId: string | undefined;
  media: readonly MediaItem[];
  hasMore: boolean;
  onNearEnd: () => void;
  onGo: (id: string) => void;
  onShow: (show: 'lineage' | undefined) => void;
  onClose: () => void;
  onCollect: () => void;
  onDeleted: (ids: ReadonlySet<string>) => void;
}

export function Viewer(props: ViewerProps) {
  const { id, show, shareId, media, hasMore, onNearEnd, onGo, onShow, onClose, onCollect, onDeleted } = props;
  // A generation may have used it a moment ago.
  const { data, error, refetch } = useQuery({ ...mediaQuery(id), staleTime: 0 });
  const at = media.findIndex((each) => each.id === id);
  const listItem = media[at];
  // The detail has the full prompt; the list is shown until it has loaded.
  const medium = data ?? listItem;
  const [details, setDetails] = useState(() => viewerState.details ?? matchMedia('(width >= 64rem)').matches);
  const star = useToggleStar();
  const moveToTrash = useMoveToTrash();
  const router = useRouter();
  const names = useCatalogNames();
  const canChange = useCan('work.create');
  const closeTopmost = () => (show ? onShow(undefined) : onClose());

  useEffect(() => {
    if (at >= media.length - NEAR_END && hasMore) onNearEnd();
  }, [at, media.length, hasMore, onNearEnd]);

  const step = (by: 1 | -1) => {
    const next = at === -1 ? undefined : media[at + by];
    if (next) onGo(next.id);
  };
  const toggleDetails = () => {
    rememberDetails(!details);
    setDetails(!details);
  };
  const toggleLineage = () => onShow(show ? undefined : 'lineage');
  const remove = () => {
    if (!medium) return;
    const next = media[at + 1] ?? media[at - 1];
    void moveToTrash([medium.id], (gone) => {
      onDeleted(gone);
      // Meanwhile the viewer may have been closed, or shows another file.
      const { item } = router.state.location.search as LibrarySearch;
      if (!gone.has(medium.id) || item !== medium.id) return;
      if (next && at !== -1) onGo(next.id);
      else onClose();
    });
  };
  useCommands(
    viewerCommands({
      step,
      details: toggleDetails,
      lineage: toggleLineage,
      change: canChange ? { star: () => medium && void star(medium), collect: onCollect, remove } : null,
    }),
  );
  const position = at === -1 ? null : `${at + 1} of ${media.length}${hasMore ? '+' : ''}`;
  return (
    <Modal
      onDismiss={closeTopmost}
      aria-label={medium ? mediaTitle(medium, names).slice(0, 160) : 'File'}
      className="full-window flex flex-col bg-sunken!"
    >
      <ViewerBar
        medium={medium}
        position={position}
        details={details && !show}
        lineage={show !== undefined}
        onDetails={show ? () => onShow(undefined) : toggleDetails}
        onLineage={toggleLineage}
        onStar={() => medium && void star(medium)}
        onCollect={onCollect}
        onShare={() => openShareDialog({ media_ids: [id] })}
        onDelete={remove}
        onClose={onClose}
      />
      {show && medium ? (
        <Lineage id={id} onOpen={onGo} fallback={<LineageSkeleton />} />
      ) : (
        <div className="relative flex min-h-0 flex-1 max-md:flex-col">
          <div className="flex min-h-0 min-w-0 flex-1 flex-col">
            <div className="relative min-h-0 min-w-0 flex-1">
              {medium ? (
                <MediaStage
                  key={id}
                  medium={medium}
                  title={mediaTitle(medium, names)}
                  onStep={step}
                  onReload={() => void refetch()}
                />
              ) : error ? (
                <MediaUnavailable error={error} onRetry={() => void refetch()} onClose={onClose} />
              ) : (
                <Loading label="Loading" className="flex size-full items-center justify-center p-8">
                  <Skeleton className="aspect-4/3 max-h-full w-[min(100%,60rem)] rounded-md" />
                </Loading>
              )}
              <ViewerNavigation before={media[at - 1]} after={at === -1 ? undefined : media[at + 1]} onGo={onGo} />
            </div>
            {medium ? <ContinueChips type={medium.type} mediaIds={[medium.id]} inOneRow /> : null}
          </div>
          {details && medium ? (
            <aside
              aria-label="Details"
              className="flex-none overflow-y-auto overscroll-contain border-line bg-canvas max-md:h-[45%] max-md:border-t md:w-80 md:border-l xl:w-96"
            >
              <MediaDetailsPanel medium={medium} shareId={shareId} onLineage={() => onShow('lineage')} />
            </aside>
          ) : null}
        </div>
      )}
    </Modal>
  );
}
