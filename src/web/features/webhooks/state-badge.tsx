import { CircleAlert, CircleCheck, CircleDashed, CirclePause } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '#web/ui/badge.tsx';
import { type EndpointState, STATE_WORDS } from './health-words.ts';

const ICONS = {
  working: <CircleCheck aria-hidden="true" />,
  failing: <CircleAlert aria-hidden="true" />,
  off: <CirclePause aria-hidden="true" />,
  unused: <CircleDashed aria-hidden="true" />,
} satisfies Record<EndpointState, ReactNode>;

/** How an endpoint fares, in a word. */
export function StateBadge({ state }: { state: EndpointState }) {
  const { label, tone } = STATE_WORDS[state];
  return (
    <Badge tone={tone} icon={ICONS[state]}>
      {label}
    </Badge>
  );
}
