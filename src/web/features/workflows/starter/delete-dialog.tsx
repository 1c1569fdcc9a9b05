import { useNavigate } from '@tanstack/react-router';
import { useDeleteStarter } from '#web/queries/workflow-starters.ts';
import { ConsequenceDialog } from '#web/ui/consequence-dialog.tsx';
import { showToast } from '#web/ui/toast-store.ts';

export interface DeleteDialogProps {
  slug: string;
  name: string;
  onClose: () => void;
}

/** Removes one of the organization's own starters, once that is confirmed. */
export function DeleteDialog({ slug, name, onClose }: DeleteDialogProps) {
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
    <ConsequenceDialog
      title="Delete this starter?"
      description={name}
      variant="danger"
      consequences={[
        'Nobody can run it from here any more, and calls that name it are refused.',
        'Runs of it stay, with all that they made; those under way go on.',
      ]}
      gravest="It can’t be brought back. Export it as JSON first if you may want it again."
      keep="Keep it"
      go="Delete the starter"
      busy={isPending}
      error={error}
      onGo={go}
      onClose={onClose}
    />
  );
}
