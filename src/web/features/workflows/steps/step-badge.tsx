import { CircleDashed, CircleOff, CircleSlash } from 'lucide-react';
import type { ReactNode } from 'react';
import type { StepStatus } from '#contract/workflow-status.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { statuses } from '#web/ui/status-badge.tsx';

export const STEP_STATUS_STYLES = {
  ...statuses,
  waiting: { label: 'Waiting', tone: 'neutral', icon: <CircleDashed aria-hidden="true" /> },
  skipped: { label: 'Skipped', tone: 'neutral', icon: <CircleSlash aria-hidden="true" /> },
  stopped: { label: 'Not started', tone: 'neutral', icon: <CircleOff aria-hidden="true" /> },
} satisfies Record<StepStatus, { label: string; tone: Tone; icon: ReactNode }>;

export function StepBadge({ status, progress }: { status: StepStatus; progress?: number | null | undefined }) {
  const { label, tone, icon } = STEP_STATUS_STYLES[status];
  const percent = status === 'running' && typeof progress === 'number' ? ` ${Math.floor(progress * 100)}%` : '';
  return (
    <Badge tone={tone} icon={icon} className="tabular-nums">
      {label}
      {percent}
    </Badge>
  );
}
