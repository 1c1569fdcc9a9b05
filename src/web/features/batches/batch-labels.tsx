import { Ban, CircleAlert, CircleCheck, CircleDashed, Eye, Pause } from 'lucide-react';
import type { ReactNode } from 'react';
import type { BatchOrderStatus, PauseReason } from '#contract/statuses.ts';
import type { Batch, BatchOrder } from '#contract/resources/batch.ts';
import { Badge, type Tone } from '#web/ui/display/badge.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { Spinner } from '#web/ui/display/progress.tsx';
import { StatusBadge } from '#web/ui/display/status-badge.tsx';
import { BATCH_STATUS_NAMES } from './batches-search.ts';

interface StatusLabel {
  label: string;
  tone: Tone;
  icon: ReactNode;
}

const BATCH_STATUS_LABELS = {
  running: { label: BATCH_STATUS_NAMES.running, tone: 'info', icon: <Spinner /> },
  paused: { label: BATCH_STATUS_NAMES.paused, tone: 'amber', icon: <Pause aria-hidden="true" /> },
  completed: { label: BATCH_STATUS_NAMES.completed, tone: 'good', icon: <CircleCheck aria-hidden="true" /> },
  canceled: { label: BATCH_STATUS_NAMES.canceled, tone: 'neutral', icon: <Ban aria-hidden="true" /> },
} satisfies Record<Batch['status'], StatusLabel>;

export const ORDER_STATUS_LABELS = {
  succeeded: { label: 'Succeeded', tone: 'good', icon: <CircleCheck aria-hidden="true" /> },
  active: { label: 'Active', tone: 'info', icon: <Spinner /> },
  waiting: { label: 'Waiting', tone: 'neutral', icon: <CircleDashed aria-hidden="true" /> },
  failed: { label: 'Failed', tone: 'bad', icon: <CircleAlert aria-hidden="true" /> },
  manual_review: { label: 'Needs review', tone: 'review', icon: <Eye aria-hidden="true" /> },
  canceled: { label: 'Canceled', tone: 'neutral', icon: <Ban aria-hidden="true" /> },
} satisfies Record<BatchOrderStatus, StatusLabel>;

/** What a pause means; `pause_message` of the service names the amounts. */
export const PAUSE_LABELS = {
  requested: 'Paused by request',
  stop_at: 'The limit is reached',
  funds: 'Not enough funds',
  budget: 'A budget is used up',
  approval: 'Needs an approval',
} satisfies Record<PauseReason, string>;

export function BatchStatusBadge({ status }: Pick<Batch, 'status'>) {
  const { label, tone, icon } = BATCH_STATUS_LABELS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}

/** The status of the generation says more than that of its order. */
export function OrderStatusBadge({ status, generation }: Pick<BatchOrder, 'status' | 'generation'>) {
  if (status === 'active' && generation)
    return <StatusBadge status={generation.status} progress={generation.progress} />;
  const { label, tone, icon } = ORDER_STATUS_LABELS[status];
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}

export const batchName = ({ name, counts }: Pick<Batch, 'name' | 'counts'>): string =>
  name ?? (counts.total === 1 ? 'Batch of 1 order' : `Batch of ${formatNumber(counts.total)} orders`);
