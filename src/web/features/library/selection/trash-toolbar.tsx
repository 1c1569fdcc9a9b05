import { ArchiveRestore, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { MediaItem } from '#contract/resources/media.ts';
import { useDeleteMedia, useRestoreMedia } from '#web/api/queries/media-mutations.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { formatFileSize } from '#web/media/format-media.ts';
import { formatFileCount, formatMediaCount } from '#web/media/library/media-labels.ts';
import { deletionResultMessage } from '#web/media/library/selection/deletion-messages.ts';
import { type SelectionState, totalBytes } from '#web/media/library/selection/selection.ts';
import { SelectionToolbar } from '#web/media/library/selection/selection-toolbar.tsx';
import { ToolbarButton } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';

/** Restores files of the trash, or deletes them for good after a question. */
export function useTrash(list: readonly MediaItem[], { selection, drop }: SelectionState<MediaItem>) {
  const { mutateAsync: restoreMedia, isPending: isRestoring } = useRestoreMedia();
  const [removed, setRemoved] = useState<readonly MediaItem[]>([]);
  return {
    isRestoring,
    async restore(ids: readonly string[]) {
      if (isRestoring || ids.length === 0) return;
      try {
        const restored = await restoreMedia(ids);
        drop(new Set(ids));
        showToast({ title: `${formatFileCount(restored.length)} restored`, tone: 'good' });
      } catch (error) {
        showToast({
          title: 'Not restored',
          detail: `${error instanceof Error ? error.message : ''} The files are still in the trash.`,
          tone: 'bad',
        });
      }
    },
    remove(ids: readonly string[]) {
      setRemoved(ids.flatMap((id) => selection.media.get(id) ?? list.find((medium) => medium.id === id) ?? []));
    },
    dialog:
      removed.length > 0 ? (
        <DeleteForeverDialog media={removed} onClose={() => setRemoved([])} onDeleted={drop} />
      ) : null,
  };
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

interface TrashToolbarProps {
  state: SelectionState<MediaItem>;
  list: readonly MediaItem[];
  trash: ReturnType<typeof useTrash>;
}

/** What can be done with selected files of the trash. */
export function TrashToolbar({ state, list, trash }: TrashToolbarProps) {
  const canChange = useCan('work.create');
  const { media } = state.selection;
  const ids = [...media.keys()];
  return (
    <SelectionToolbar state={state} list={list} note={formatFileSize(totalBytes(media.values()))}>
      {canChange ? (
        <>
          <ToolbarButton
            icon={<ArchiveRestore aria-hidden="true" className="size-4" />}
            disabled={ids.length === 0}
            busy={trash.isRestoring}
            onClick={() => void trash.restore(ids)}
          >
            Restore
          </ToolbarButton>
          <ToolbarButton
            icon={<Trash2 aria-hidden="true" className="size-4" />}
            disabled={ids.length === 0}
            onClick={() => trash.remove(ids)}
          >
            Delete forever…
          </ToolbarButton>
        </>
      ) : null}
    </SelectionToolbar>
  );
}
