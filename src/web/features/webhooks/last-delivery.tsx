import type { DeliveryStatus, WebhookEndpoint } from '#contract/resources/webhook.ts';
import { RelativeTime } from '#web/ui/relative-time.tsx';

const WORDS = {
  pending: 'On its way since',
  succeeded: 'Last accepted',
  failed: 'Last failed',
} satisfies Record<DeliveryStatus, string>;

/** When something was last sent to an endpoint, and how that ended. */
export function LastDelivery({ endpoint: { last_delivery_at, last_delivery_status } }: { endpoint: WebhookEndpoint }) {
  if (last_delivery_at === null || last_delivery_status === null) return <p>No delivery yet</p>;
  return (
    <p>
      {WORDS[last_delivery_status]} <RelativeTime at={last_delivery_at} className="relative z-1" />
    </p>
  );
}
