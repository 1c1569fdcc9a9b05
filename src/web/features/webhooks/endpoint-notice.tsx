import { useState } from 'react';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { useEnableWebhook } from '#web/api/queries/webhooks.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { ExactTime, RelativeTime } from '#web/ui/relative-time.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { toastError } from './toast-error.ts';

const RecoverDialog = lazyComponent(async () => (await import('./recover-dialog.tsx')).RecoverDialog);

export function EndpointNotice({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, status, health, previous_secret_expires_at } = endpoint;
  const { mutate, isPending } = useEnableWebhook();
  // Kept here because an enabled endpoint no longer reports since when it failed.
  const [missedSince, setMissedSince] = useState<string | null>(null);
  const enable = () =>
    mutate(id, {
      onSuccess: () => {
        showToast({ title: 'Endpoint enabled', tone: 'good' });
        setMissedSince(health?.failing_since ?? null);
      },
      onError: toastError('Endpoint not enabled'),
    });
  return (
    <div className="mb-5 flex flex-col gap-2 empty:hidden">
      {status === 'disabled' ? (
        <Callout tone="bad" title="Endpoint disabled">
          <p>{health?.warning ?? 'No events are sent to this endpoint.'}</p>
          <p className="mt-2 mb-0.5">
            <Button size="sm" busy={isPending} onClick={enable}>
              Enable endpoint
            </Button>
          </p>
        </Callout>
      ) : health?.warning ? (
        <Callout tone="amber" title="The receiver needs attention">
          {health.warning}
        </Callout>
      ) : health?.failing_since ? (
        <Callout tone="amber" title="Recent deliveries failed">
          First failed <RelativeTime at={health.failing_since} />. Each delivery is retried after 1 minute, 5 minutes,
          30 minutes, 2 hours and 12 hours. To resend them now, use More actions.
        </Callout>
      ) : null}
      {previous_secret_expires_at ? (
        <Callout title="Two secrets are valid">
          Deliveries are signed with the new secret and the previous one until{' '}
          <ExactTime at={previous_secret_expires_at} />.
        </Callout>
      ) : null}
      {missedSince ? (
        <RecoverDialog endpoint={endpoint} missedSince={missedSince} onClose={() => setMissedSince(null)} />
      ) : null}
    </div>
  );
}
