import { useNavigate } from '@tanstack/react-router';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { useDeleteWebhook } from '#web/api/queries/webhooks.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { showToast } from '#web/ui/toast-store.ts';

export interface DeleteEndpointDialogProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

export function DeleteEndpointDialog({ endpoint: { id, url }, onClose }: DeleteEndpointDialogProps) {
  const { mutateAsync, isPending, error } = useDeleteWebhook();
  const navigate = useNavigate();
  const remove = async () => {
    try {
      // The dialog unmounts together with the endpoint, and callbacks given to `mutate` would not run.
      await mutateAsync(id);
    } catch {
      return;
    }
    showToast({ title: 'Endpoint deleted', detail: `No more events are sent to ${new URL(url).host}.` });
    void navigate({ to: '/webhooks' });
  };
  return (
    <ConfirmDialog
      title="Delete this endpoint?"
      description={url}
      cancelLabel="Cancel"
      confirmLabel="Delete endpoint"
      variant="danger"
      busy={isPending}
      error={error}
      consequences={[
        'No more events are sent, including deliveries that are pending or being retried.',
        'Its delivery history and secret are deleted. This can’t be undone.',
        'Generations are not affected.',
      ]}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}
