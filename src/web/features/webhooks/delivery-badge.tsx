import { CircleAlert, CircleCheck, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DeliveryStatus } from '#contract/resources/webhook.ts';
import { Badge } from '#web/ui/badge.tsx';
import { DELIVERY_WORDS } from './delivery-words.ts';

const ICONS = {
  pending: <Clock aria-hidden="true" />,
  succeeded: <CircleCheck aria-hidden="true" />,
  failed: <CircleAlert aria-hidden="true" />,
} satisfies Record<DeliveryStatus, ReactNode>;

/** How far a delivery is, in a word. */
export function DeliveryBadge({ status }: { status: DeliveryStatus }) {
  const { label, tone } = DELIVERY_WORDS[status];
  return (
    <Badge tone={tone} icon={ICONS[status]}>
      {label}
    </Badge>
  );
}
