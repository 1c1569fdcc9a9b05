import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { useRotateSecret } from '#web/api/queries/webhooks.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';

export interface RotateDialogProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

/** Says what a new secret means for the receiver, creates it, and shows it, once. */
export function RotateDialog({ endpoint: { id, url, previous_secret_expires_at }, onClose }: RotateDialogProps) {
  const { mutate, isPending, error, data: created } = useRotateSecret();
  if (created)
    return <NewSecretDialog endpoint={created} previous_until={created.previous_secret_expires_at} onClose={onClose} />;
  return (
    <ConfirmDialog
      title="Rotate the secret?"
      description={url}
      cancelLabel="Cancel"
      confirmLabel="Rotate secret"
      busy={isPending}
      error={error}
      persistent={isPending}
      consequences={[
        'Both secrets are valid for 24 hours: each delivery carries a signature with each, so the receiver misses nothing.',
        'After that only the new secret is valid. Give it to the receiver before then.',
        ...(previous_secret_expires_at
          ? ['The secret was rotated less than a day ago. The oldest of the three stops working now.']
          : []),
      ]}
      onConfirm={() => mutate(id)}
      onClose={onClose}
    />
  );
}
