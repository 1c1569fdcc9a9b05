import { useNavigate } from '@tanstack/react-router';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { useDeleteWebhook } from '#web/queries/webhooks.ts';
import { ConsequenceDialog } from '#web/ui/consequence-dialog.tsx';
import { showToast } from '#web/ui/toast-store.ts';

/** Says what deleting does before it is done. */
export function DeleteDialog({ endpoint: { id, url }, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { mutateAsync, isPending, error } = useDeleteWebhook();
  const navigate = useNavigate();
  const remove = async () => {
    try {
      // Awaited: with the endpoint this dialog is gone, and what is told to `mutate` with it.
      await mutateAsync(id);
    } catch {
      return;
    }
    showToast({ title: 'Endpoint deleted', detail: `Nothing more is sent to ${new URL(url).host}.` });
    void navigate({ to: '/webhooks' });
  };
  return (
    <ConsequenceDialog
      title="Delete this endpoint?"
      description={url}
      keep="Keep it"
      go="Delete the endpoint"
      variant="danger"
      busy={isPending}
      error={error}
      consequences={[
        'Nothing more is sent to it, not even what is on its way now.',
        'Its deliveries are no longer listed, and its secret is gone. This can’t be undone.',
        'What was made stays, and can be read as before.',
      ]}
      onGo={() => void remove()}
      onClose={onClose}
    />
  );
}
