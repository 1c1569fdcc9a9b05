import type { MediaItem } from '#contract/resources/media.ts';
import { useDeleteMedia } from '#web/api/queries/media-mutations.ts';
import { formatFileSize } from '#web/media/format-media.ts';
import { formatMediaCount } from '#web/media/library/media-labels.ts';
import { deletionResultMessage } from '#web/media/library/selection/deletion-messages.ts';
import { totalBytes } from '#web/media/library/selection/selection.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { showToast } from '#web/ui/toast-store.ts';

interface DeleteForeverDialogProps {
  media: readonly MediaItem[];
  onClose: () => void;
  onDeleted: (ids: ReadonlySet<string>) => void;
}

export function DeleteForeverDialog({ media, onClose, onDeleted }: DeleteForeverDialogProps) {
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
