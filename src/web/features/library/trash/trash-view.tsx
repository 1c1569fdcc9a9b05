import { Trash2, ArchiveRestore, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useMediaList } from '#web/api/queries/media.ts';
import { useRestoreMedia, useDeleteMedia } from '#web/api/queries/media-mutations.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { useHasSeveralPeople } from '#web/api/queries/people.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { GridSkeleton } from '#web/media/library/grid-skeleton.tsx';
import { MediaGrid } from '#web/media/library/media-grid.tsx';
import { formatFileCount, formatMediaCount } from '#web/media/library/media-labels.ts';
import { formatTimeUntilRemoval } from '#web/media/library/retention-date.tsx';
import { useSelection, totalBytes } from '#web/media/library/selection/selection.ts';
import { useMediaCursor } from '#web/media/library/use-media-cursor.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { useElementSize } from '#web/ui/use-element-size.ts';
import { useListCommands } from '#web/ui/use-list-cursor.ts';
import { LibraryTile, type TileActions } from '../library-tile.tsx';
import type { MediaItem } from '#contract/resources/media.ts';
import { formatFileSize } from '#web/media/format-media.ts';
import { deletionResultMessage } from '#web/media/library/selection/deletion-messages.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Button, ToolbarButton } from '#web/ui/button.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { IconButton } from '#web/ui/icon-button.tsx';

const FILTERS = { in_trash: 'true' } as const;

export function TrashView() {
  const list = useMediaList(FILTERS);
  const media = list.rows;
  const cursor = useMediaCursor();
  const { selection, toggle, extend, drop, all, leave } = useSelection(media);
  const { mutateAsync: restoreMedia, isPending: isRestoring } = useRestoreMedia();
  const [isDeleting, setDeleting] = useState(false);
  const { ref: bar, heightPx: coveredPx } = useElementSize();
  const canChange = useCan('work.create');
  const showsCreator = useHasSeveralPeople();
  const [nowMs] = useState(Date.now);
  const { onFocus } = cursor;
  const actions = useMemo(
    (): TileActions => ({ open: toggle, toggle, extend, star: null, collect: null, drag: null, focus: onFocus }),
    [toggle, extend, onFocus],
  );
  const selectedIds = [...selection.media.keys()];
  const restore = async () => {
    if (isRestoring || selectedIds.length === 0) return;
    try {
      const restored = await restoreMedia(selectedIds);
      drop(new Set(selectedIds));
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
            { keys: 'delete', label: 'Delete the selection forever', run: () => setDeleting(selectedIds.length > 0) },
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
          coveredPx={coveredPx}
          cursor={cursor}
          onSpace={toggle}
          onExtend={extend}
          renderTile={(medium, box, tabbable) => (
            <LibraryTile
              key={medium.id}
              {...box}
              medium={medium}
              href={medium.url}
              retentionLabel={formatTimeUntilRemoval(medium.kept_until, nowMs, Infinity)}
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

interface DeleteForeverDialogProps {
  media: readonly MediaItem[];
  onClose: () => void;
  onDeleted: (ids: ReadonlySet<string>) => void;
}

function DeleteForeverDialog({ media, onClose, onDeleted }: DeleteForeverDialogProps) {
  const { mutateAsync, isPending, error } = useDeleteMedia();
  const remove = async () => {
    const ids = media.map(({ id }) => id);
    try {
      const result = await mutateAsync({ ids, toTrash: false });
      showToast({ ...deletionResultMessage(result, false), tone: result.deleted.length > 0 ? 'good' : 'neutral' });
      onDeleted(new Set(ids));
      onClose();
    } catch {
      // The dialog shows the error.
    }
  };
  return (
    <ConfirmDialog
      title={`Delete ${formatMediaCount([...media])} forever?`}
      description="The generations that created or used them keep their prompts and costs."
      consequences={[
        `${formatFileSize(totalBytes(media))} will be deleted from the storage, for everyone in the organization.`,
      ]}
      gravest="This can’t be undone."
      cancelLabel="Keep in trash"
      confirmLabel="Delete forever"
      variant="danger"
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => void remove()}
    />
  );
}

interface TrashBarProps {
  selected: readonly MediaItem[];
  loadedCount: number;
  canChange: boolean;
  isRestoring: boolean;
  onAll: () => void;
  onClear: () => void;
  onRestore: () => void;
  onDelete: () => void;
}

function TrashBar(props: TrashBarProps) {
  const { selected, loadedCount, canChange, isRestoring, onAll, onClear, onRestore, onDelete } = props;
  const isEmpty = selected.length === 0;
  return (
    <section
      aria-label="Selection"
      className="flex min-h-9 flex-wrap items-center gap-x-1.5 gap-y-2 pointer-coarse:min-h-11"
    >
      {isEmpty ? null : (
        <IconButton label="Clear selection" icon={<X aria-hidden="true" className="size-4" />} onClick={onClear} />
      )}
      <output className="mr-auto min-w-0 text-sm tabular-nums">
        <span className="font-semibold">{isEmpty ? 'Select files' : `${formatNumber(selected.length)} selected`}</span>
        <span className="text-ink-3">{isEmpty ? '' : ` · ${formatFileSize(totalBytes(selected))}`}</span>
      </output>
      {selected.length < loadedCount ? (
        <Button size="sm" variant="ghost" onClick={onAll}>
          <span className="@max-md:sr-only">Select all</span>
          <span aria-hidden="true" className="@md:hidden">
            All
          </span>{' '}
          {formatNumber(loadedCount)}
        </Button>
      ) : null}
      {canChange ? (
        <>
          <ToolbarButton
            icon={<ArchiveRestore aria-hidden="true" className="size-4" />}
            disabled={isEmpty}
            busy={isRestoring}
            onClick={onRestore}
          >
            Restore
          </ToolbarButton>
          <ToolbarButton icon={<Trash2 aria-hidden="true" className="size-4" />} disabled={isEmpty} onClick={onDelete}>
            Delete forever…
          </ToolbarButton>
        </>
      ) : null}
    </section>
  );
}
