import { Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useMediaList } from '#web/api/queries/media.ts';
import { useRestoreMedia } from '#web/api/queries/media-mutations.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { useHasSeveralPeople } from '#web/api/queries/people.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { GridSkeleton } from '#web/media/library/grid-skeleton.tsx';
import { MediaGrid } from '#web/media/library/media-grid.tsx';
import { formatFileCount } from '#web/media/library/media-labels.ts';
import { formatTimeUntilRemoval } from '#web/media/library/retention-date.tsx';
import { useSelection } from '#web/media/library/selection/selection.ts';
import { useMediaCursor } from '#web/media/library/use-media-cursor.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { useElementSize } from '#web/ui/use-element-size.ts';
import { useListCommands } from '#web/ui/use-list-cursor.ts';
import { LibraryTile, type TileActions } from '../library-tile.tsx';
import { TrashBar } from './trash-bar.tsx';

const DeleteForeverDialog = lazyComponent(
  async () => (await import('./delete-forever-dialog.tsx')).DeleteForeverDialog,
);

const FILTERS = { in_trash: 'true' } as const;

export function TrashView() {
  const list = useMediaList(FILTERS);
  const media = list.rows;
  const cursor = useMediaCursor();
  const { selection, toggle, extend, drop, all, leave } = useSelection(media);
  const { mutateAsync: restoreMedia, isPending: isRestoring } = useRestoreMedia();
  const [isDeleting, setDeleting] = useState(false);
  const { ref: bar, height_px: covered_px } = useElementSize();
  const canChange = useCan('work.create');
  const showsCreator = useHasSeveralPeople();
  const [now_ms] = useState(Date.now);
  const { onFocus } = cursor;
  const actions = useMemo(
    (): TileActions => ({ open: toggle, toggle, extend, star: null, collect: null, drag: null, focus: onFocus }),
    [toggle, extend, onFocus],
  );
  const selected_ids = [...selection.media.keys()];
  const restore = async () => {
    if (isRestoring || selected_ids.length === 0) return;
    try {
      const restored = await restoreMedia(selected_ids);
      drop(new Set(selected_ids));
      showToast({ title: `${formatFileCount(restored.length)} restored`, tone: 'good' });
    } catch (error) {
      showToast({
        title: 'Not restored',
        detail: `${error instanceof Error ? error.message : ''} The files are still in the trash.`,
        tone: 'bad',
      });
    }
  };
  const at = media.findIndex(({ id }) => id === cursor.id);
  const current = media[at];
  useListCommands({
    group: 'Trash',
    item: 'item',
    onStep: (by) => cursor.moveTo((media[at + by] ?? current ?? media[0])?.id),
    commands: [
      { keys: 'x', label: 'Select (also Space)', run: () => current && toggle(current) },
      { keys: 'mod+a', label: 'Select all loaded items', run: all },
      { keys: 'escape', label: 'Clear the selection', run: leave },
      ...(canChange
        ? [
            { keys: 'r', label: 'Restore the selection', run: () => void restore() },
            { keys: 'delete', label: 'Delete the selection forever', run: () => setDeleting(selected_ids.length > 0) },
          ]
        : []),
    ],
  });
  return (
    <>
      {media.length > 0 ? (
        <div ref={bar} className="sticky top-13 z-10 -mx-4 bg-canvas px-4 py-3 md:top-0 md:-mx-8 md:px-8">
          <TrashBar
            selected={[...selection.media.values()]}
            loadedCount={media.length}
            canChange={canChange}
            isRestoring={isRestoring}
            onAll={all}
            onClear={leave}
            onRestore={() => void restore()}
            onDelete={() => setDeleting(true)}
          />
        </div>
      ) : null}
      <ListStates
        list={list}
        what="The trash"
        older="Older files"
        loading={
          <Loading label="Loading the trash">
            <GridSkeleton rows={3} />
          </Loading>
        }
        empty={
          <EmptyState icon={<Trash2 aria-hidden="true" />} title="The trash is empty">
            Files that you delete appear here until they are removed for good.
          </EmptyState>
        }
      >
        <MediaGrid
          label="Trash"
          media={media}
          hasMore={list.hasMore}
          onNearEnd={list.onNearEnd}
          covered_px={covered_px}
          cursor={cursor}
          onSpace={toggle}
          onExtend={extend}
          renderTile={(medium, box, tabbable) => (
            <LibraryTile
              key={medium.id}
              {...box}
              medium={medium}
              href={medium.url}
              retentionLabel={formatTimeUntilRemoval(medium.kept_until, now_ms, Infinity)}
              selected={selection.media.has(medium.id)}
              selecting
              showsCreator={showsCreator}
              tabbable={tabbable}
              actions={actions}
            />
          )}
        />
      </ListStates>
      {isDeleting ? (
        <DeleteForeverDialog
          media={[...selection.media.values()]}
          onClose={() => setDeleting(false)}
          onDeleted={drop}
        />
      ) : null}
    </>
  );
}
