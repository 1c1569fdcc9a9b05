import { useNavigate } from '@tanstack/react-router';
import { useDeleteStarter } from '#web/api/queries/workflow-starters.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { showToast } from '#web/ui/toast-store.ts';

export interface DeleteStarterDialogProps {
  slug: string;
  name: string;
  onClose: () => void;
}

/** Removes one of the organization's own starters, once that is confirmed. */
export function DeleteStarterDialog({ slug, name, onClose }: DeleteStarterDialogProps) {
  const navigate = useNavigate();
  const { mutate, isPending, error } = useDeleteStarter();
  const go = () =>
    mutate(slug, {
      onSuccess: () => {
        showToast({ title: 'Starter deleted', detail: `“${name}” is gone; its runs are kept.` });
        void navigate({ to: '/workflows', search: {} });
      },
    });
  return (
    <ConfirmDialog
      title="Delete this starter?"
      description={name}
      variant="danger"
      consequences={[
        'Nobody can run it from here any more, and calls that name it are refused.',
        'Runs of it stay, with all that they made; those under way go on.',
      ]}
      gravest="It can’t be brought back. Export it as JSON first if you may want it again."
      cancelLabel="Keep it"
      confirmLabel="Delete the starter"
      busy={isPending}
      error={error}
      onConfirm={go}
      onClose={onClose}
    />
  );
}
