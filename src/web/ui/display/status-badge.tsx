import { Ban, CircleAlert, CircleCheck, CircleDashed, Eye } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge, type Tone } from './badge.tsx';
import { Spinner } from './progress.tsx';

export type Status = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'manual_review';

export const statuses = {
  queued: { label: 'Queued', tone: 'neutral', icon: <CircleDashed aria-hidden="true" /> },
  running: { label: 'Running', tone: 'info', icon: <Spinner /> },
  succeeded: { label: 'Succeeded', tone: 'good', icon: <CircleCheck aria-hidden="true" /> },
  failed: { label: 'Failed', tone: 'bad', icon: <CircleAlert aria-hidden="true" /> },
  canceled: { label: 'Canceled', tone: 'neutral', icon: <Ban aria-hidden="true" /> },
  manual_review: { label: 'Needs review', tone: 'review', icon: <Eye aria-hidden="true" /> },
} satisfies Record<Status, { label: string; tone: Tone; icon: ReactNode }>;

/** The status of a generation or a run; with `progress` (0–1) a running one also says how far it is. */
export function StatusBadge({ status, progress }: { status: Status; progress?: number | null }) {
  const { label, tone, icon } = statuses[status];
  const percent = status === 'running' && typeof progress === 'number' ? ` ${Math.floor(progress * 100)}%` : '';
  return (
    <Badge tone={tone} icon={icon} className="tabular-nums">
      {label}
      {percent}
    </Badge>
  );
}
