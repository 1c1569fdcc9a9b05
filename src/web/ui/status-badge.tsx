import { Ban, CircleAlert, CircleCheck, CircleDashed, Eye } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { Badge, type Tone } from './badge.tsx';
import { cx } from './cx.ts';
import { Spinner } from './progress.tsx';

type Status = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'manual_review';

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

const chip = cx(
  'relative flex h-8 flex-none items-center rounded-full border border-line px-3 text-sm font-medium text-ink-2 select-none pointer-coarse:h-10',
  'transition-colors hover:text-ink has-checked:border-transparent has-checked:bg-ink has-checked:text-canvas',
  'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
);

const STATUS_OPTIONS = [undefined, ...(Object.keys(statuses) as Status[])];

interface StatusChipsProps {
  value: Status | undefined;
  onChange: (status: Status | undefined) => void;
}

export function StatusChips({ value, onChange }: StatusChipsProps) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label="Status" className="-m-1 flex gap-1.5 overflow-x-auto p-1 [scrollbar-width:none]">
      {STATUS_OPTIONS.map((status) => (
        <label key={status ?? 'all'} className={chip}>
          <input
            type="radio"
            name={name}
            checked={status === value}
            onChange={() => onChange(status)}
            className="absolute inset-0 appearance-none rounded-full outline-none"
          />
          {status ? statuses[status].label : 'All'}
        </label>
      ))}
    </div>
  );
}
