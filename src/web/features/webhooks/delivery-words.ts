import type { DeliveryStatus, WebhookAttempt, WebhookDelivery } from '#contract/resources/webhook.ts';
import type { Tone } from '#web/ui/badge.tsx';

/** How every status of a delivery is called. */
export const DELIVERY_WORDS = {
  pending: { label: 'On its way', tone: 'info' },
  succeeded: { label: 'Accepted', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
} satisfies Record<DeliveryStatus, { label: string; tone: Tone }>;

/** How a delivery that has ended ended; one on its way has a countdown instead. */
export function endWords({ status, attempts }: Pick<WebhookDelivery, 'status' | 'attempts'>): string {
  const count = attempts.length;
  if (status === 'succeeded') return count <= 1 ? 'At the first attempt' : `At attempt ${count}`;
  if (count === 0) return 'Not sent: it was switched off';
  return count === 1 ? 'After one attempt' : `After ${count} attempts`;
}

/** "84 ms", "1.2 s". */
export const latencyWords = (latency_ms: number): string =>
  latency_ms < 1000 ? `${latency_ms} ms` : `${(latency_ms / 1000).toFixed(1)} s`;

/** What a receiver answered, in short. */
export const answerWords = ({ status_code, latency_ms }: WebhookAttempt): string =>
  `${status_code === null ? 'No answer' : `Answered ${status_code}`} · ${latencyWords(latency_ms)}`;
