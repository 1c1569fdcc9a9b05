import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import type { DeliveryStatus } from '#contract/statuses.ts';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';

const STATUS_LABELS = {
  pending: 'Sent',
  succeeded: 'Last delivered',
  failed: 'Last failed',
} satisfies Record<DeliveryStatus, string>;

export function LastDelivery({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { last_delivery_at, last_delivery_status, health } = endpoint;
  if (last_delivery_at === null || last_delivery_status === null) return <p>No deliveries yet</p>;
  const failingSince = last_delivery_status === 'pending' ? (health?.failing_since ?? null) : null;
  return (
    <p>
      {failingSince ? 'First failed' : STATUS_LABELS[last_delivery_status]}{' '}
      <RelativeTime at={failingSince ?? last_delivery_at} className="relative z-1" />
    </p>
  );
}
