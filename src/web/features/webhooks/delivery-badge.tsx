import { CircleAlert, CircleCheck, Clock, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import { Badge } from '#web/ui/badge.tsx';
import { DELIVERY_STATE_LABELS, type DeliveryState, deliveryState } from './delivery-labels.ts';

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
