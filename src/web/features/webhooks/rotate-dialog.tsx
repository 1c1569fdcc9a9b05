import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { useRotateSecret } from '#web/queries/webhooks.ts';
import { ConsequenceDialog } from '#web/ui/consequence-dialog.tsx';
import { NewSecret } from './new-secret.tsx';

/** Says what a new secret means for the receiver, makes it, and shows it, once. */
export function RotateDialog({
  endpoint: { id, url, ...endpoint },
  onClose,
}: {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}) {
  const { mutate, isPending, error, data: made } = useRotateSecret();
  if (made) return <NewSecret endpoint={made} previous_until={made.previous_secret_expires_at} onClose={onClose} />;
  return (
    <ConsequenceDialog
      title="Make a new secret?"
      description={url}
      keep="Keep the secret"
      go="Make a new secret"
      variant="primary"
      busy={isPending}
      error={error}
      consequences={[
        'For 24 hours both secrets are good: each delivery carries a signature of each, so the receiver misses nothing.',
        'After that only the new one is: give it to the receiver before.',
        ...(endpoint.previous_secret_expires_at
          ? ['The secret was changed less than a day ago: the oldest of the three is refused at once.']
          : []),
      ]}
      onGo={() => mutate(id)}
      onClose={onClose}
    />
  );
}
