import type { DeliveryStatus, WebhookAttempt, WebhookDelivery } from '#contract/resources/webhook.ts';
import type { Tone } from '#web/ui/badge.tsx';

/** A delivery whose first attempts failed is being retried, although its status is still pending. */
export type DeliveryState = DeliveryStatus | 'retrying';

export const DELIVERY_STATE_LABELS = {
  pending: { label: 'Pending', tone: 'info' },
  retrying: { label: 'Retrying', tone: 'amber' },
  succeeded: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
} satisfies Record<DeliveryState, { label: string; tone: Tone }>;

export const deliveryState = ({ status, attempts }: Pick<WebhookDelivery, 'status' | 'attempts'>): DeliveryState =>
  status === 'pending' && attempts.length > 0 ? 'retrying' : status;

/** How a delivery ended; a pending one has a countdown instead. */
export function formatDeliveryOutcome({ status, attempts }: Pick<WebhookDelivery, 'status' | 'attempts'>): string {
  const count = attempts.length;
  if (status === 'succeeded') return count <= 1 ? 'At the first attempt' : `At attempt ${count}`;
  if (count === 0) return 'Not sent: it was switched off';
  return count === 1 ? 'After one attempt' : `After ${count} attempts`;
}

/** "84 ms", "1.2 s". */
const formatLatency = (latency_ms: number): string =>
  latency_ms < 1000 ? `${latency_ms} ms` : `${(latency_ms / 1000).toFixed(1)} s`;

/** What a receiver answered, in short. */
export const formatAttemptResponse = ({ status_code, latency_ms }: WebhookAttempt): string =>
  `${status_code === null ? 'No answer' : `Answered ${status_code}`} · ${formatLatency(latency_ms)}`;
