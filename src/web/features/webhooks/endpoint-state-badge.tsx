import { CircleAlert, CircleCheck, CircleDashed, CirclePause } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '#web/ui/display/badge.tsx';
import { type EndpointState, ENDPOINT_STATE_LABELS } from './endpoint-state.ts';

const ICONS = {
  working: <CircleCheck aria-hidden="true" />,
  failing: <CircleAlert aria-hidden="true" />,
  off: <CirclePause aria-hidden="true" />,
  unused: <CircleDashed aria-hidden="true" />,
} satisfies Record<EndpointState, ReactNode>;

export function EndpointStateBadge({ state }: { state: EndpointState }) {
  const { label, tone } = ENDPOINT_STATE_LABELS[state];
  return (
    <Badge tone={tone} icon={ICONS[state]}>
      {label}
    </Badge>
  );
}
