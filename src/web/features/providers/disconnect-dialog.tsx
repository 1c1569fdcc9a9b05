import type { Provider } from '#contract/resources/provider.ts';
import { useDisconnectProvider } from '#web/api/queries/providers.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { showToast } from '#web/ui/toast-store.ts';

export function DisconnectDialog({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const { mutateAsync, isPending, error } = useDisconnectProvider();
  const { id, name, running_jobs } = provider;
  const disconnect = async () => {
    try {
      // The dialog unmounts together with its row, and callbacks given to `mutate` would not run.
      await mutateAsync(id);
    } catch {
      return;
    }
    showToast({ title: `${name} is disconnected` });
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Disconnect ${name}?`}
      description="Its models go back to the next provider, or to the preview."
      cancelLabel="Cancel"
      confirmLabel="Disconnect"
      variant="danger"
      busy={isPending}
      error={error}
      consequences={[
        running_jobs === 0
          ? 'No job is running at this provider.'
          : `${running_jobs === 1 ? 'One running job finishes' : `${running_jobs} running jobs finish`} with the key, and ${running_jobs === 1 ? 'is' : 'are'} charged.`,
        'The key is deleted once no job needs it. To connect again, you need the key.',
        'Prices that came from this provider go back to what they were.',
        'Results and their costs are kept.',
      ]}
      onConfirm={() => void disconnect()}
      onClose={onClose}
    />
  );
}
