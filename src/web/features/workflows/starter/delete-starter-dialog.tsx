import { useNavigate } from '@tanstack/react-router';
import { useDeleteStarter } from '#web/api/queries/workflow-starters.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { showToast } from '#web/ui/toast-store.ts';

interface DeleteStarterDialogProps {
  slug: string;
  name: string;
  onClose: () => void;
}

export function DeleteStarterDialog({ slug, name, onClose }: DeleteStarterDialogProps) {
  const navigate = useNavigate();
  const { mutate, isPending, error } = useDeleteStarter();
  const deleteStarter = () =>
    mutate(slug, {
      onSuccess: () => {
        showToast({ title: 'Workflow deleted', detail: `“${name}” was deleted. Its runs are kept.` });
        void navigate({ to: '/workflows', search: {} });
      },
    });
  return (
    <ConfirmDialog
      title="Delete this workflow?"
      description={name}
      variant="danger"
      consequences={[
        'It can no longer be run, and API calls that use it fail.',
        'Past runs and their results are kept. Runs in progress continue.',
      ]}
      gravest="This can’t be undone. Export it as JSON first if you may need it again."
      cancelLabel="Keep workflow"
      confirmLabel="Delete workflow"
      busy={isPending}
      error={error}
      onConfirm={deleteStarter}
      onClose={onClose}
    />
  );
}
