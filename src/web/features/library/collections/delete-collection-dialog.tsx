import { useNavigate } from '@tanstack/react-router';
import type { Collection } from '#contract/resources/collection.ts';
import { useDeleteCollection } from '#web/api/queries/collections.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { showToast } from '#web/ui/toast-store.ts';

interface DeleteCollectionDialogProps {
  collection: Collection;
  onClose: () => void;
}

export function DeleteCollectionDialog({ collection, onClose }: DeleteCollectionDialogProps) {
  const { mutateAsync, isPending, error } = useDeleteCollection();
  const navigate = useNavigate();
  const remove = async () => {
    try {
      await mutateAsync(collection.id);
      onClose();
      showToast({ title: `“${collection.name}” deleted`, detail: 'Its files are still in the library.' });
      await navigate({ to: '/library', search: {}, replace: true });
    } catch {
      // The dialog shows the error.
    }
  };
  return (
    <ConfirmDialog
      title="Delete this collection?"
      description={`“${collection.name}”`}
      consequences={['Its files stay in the library.', 'Its name, notes and order are deleted, for everyone.']}
      cancelLabel="Keep"
      confirmLabel="Delete collection"
      variant="danger"
      busy={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => void remove()}
    />
  );
}
