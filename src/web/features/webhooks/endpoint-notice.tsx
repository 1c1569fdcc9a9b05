import { useState } from 'react';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { useEnableWebhook } from '#web/queries/webhooks.ts';
import { Button } from '#web/ui/button.tsx';
import { Callout } from '#web/ui/callout.tsx';
import { ExactTime, RelativeTime } from '#web/ui/relative-time.tsx';
import { showToast } from '#web/ui/toast-store.ts';
import { RecoverDialog } from './recover-dialog.tsx';
import { sayRefused } from './say-refused.ts';

/** What somebody has to know or do about an endpoint: it fails, it was switched off, two secrets sign. */
export function EndpointNotice({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, status, health, previous_secret_expires_at } = endpoint;
  const { mutate, isPending } = useEnableWebhook();
  // Once it is on again, the service no longer tells since when it failed.
  const [missedSince, setMissedSince] = useState<string | null>(null);
  const enable = () =>
    mutate(id, {
      onSuccess: () => {
        showToast({ title: 'Switched on again', tone: 'good' });
        setMissedSince(health?.failing_since ?? null);
      },
      onError: sayRefused('Not switched on'),
    });
  return (
    <div className="mb-5 flex flex-col gap-2 empty:hidden">
      {status === 'disabled' ? (
        <Callout tone="bad" title="Switched off: nothing is sent">
          <p>{health?.warning ?? 'This endpoint was switched off.'}</p>
          <p className="mt-2 mb-0.5">
            <Button size="sm" busy={isPending} onClick={enable}>
              Switch on again
            </Button>
          </p>
        </Callout>
      ) : health?.warning ? (
        <Callout tone="amber" title="The receiver needs looking after">
          {health.warning}
        </Callout>
      ) : health?.failing_since ? (
        <Callout tone="amber" title="The last attempts failed">
          The first of them failed <RelativeTime at={health.failing_since} />. Each delivery is tried again after 1
          minute, 5 minutes, 30 minutes, 2 hours and 12 hours; what fails at last can be sent again from here.
        </Callout>
      ) : null}
      {previous_secret_expires_at ? (
        <Callout title="Two secrets are good">
          Deliveries are signed with the new secret and the one before, until{' '}
          <ExactTime at={previous_secret_expires_at} />.
        </Callout>
      ) : null}
      {missedSince ? (
        <RecoverDialog endpoint={endpoint} missedSince={missedSince} onClose={() => setMissedSince(null)} />
      ) : null}
    </div>
  );
}
