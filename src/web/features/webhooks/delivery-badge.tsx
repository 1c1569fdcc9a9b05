import { CircleAlert, CircleCheck, Clock, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WebhookAttempt, WebhookDelivery } from '#contract/resources/webhook.ts';
import type { DeliveryStatus } from '#contract/statuses.ts';
import { Badge, type Tone } from '#web/ui/display/badge.tsx';

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

export function formatDeliveryOutcome({ status, attempts }: Pick<WebhookDelivery, 'status' | 'attempts'>): string {
  const count = attempts.length;
  if (status === 'failed' && count === 0) return 'Not sent: endpoint disabled';
  return count <= 1 ? '1 attempt' : `${count} attempts`;
}

const formatLatency = (latencyMs: number): string =>
  latencyMs < 1000 ? `${latencyMs} ms` : `${(latencyMs / 1000).toFixed(1)} s`;

/** Formats the response to an attempt: "HTTP 204 · 84 ms". */
export const formatAttemptResponse = ({ status_code, latency_ms }: WebhookAttempt): string =>
  `${status_code === null ? 'No response' : `HTTP ${status_code}`} · ${formatLatency(latency_ms)}`;

const ICONS = {
  pending: <Clock aria-hidden="true" />,
  retrying: <RotateCw aria-hidden="true" />,
  succeeded: <CircleCheck aria-hidden="true" />,
  failed: <CircleAlert aria-hidden="true" />,
} satisfies Record<DeliveryState, ReactNode>;

export function DeliveryBadge({ delivery }: { delivery: Pick<WebhookDelivery, 'status' | 'attempts'> }) {
  const state = deliveryState(delivery);
  const { label, tone } = DELIVERY_STATE_LABELS[state];
  return (
    <Badge tone={tone} icon={ICONS[state]}>
      {label}
    </Badge>
  );
}
