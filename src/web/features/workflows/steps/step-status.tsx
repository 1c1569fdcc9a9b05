import { CircleDashed, CircleOff, CircleSlash } from 'lucide-react';
import type { ReactNode } from 'react';
import type { WorkflowRunStep } from '#contract/resources/workflow-run.ts';
import type { StepStatus } from '#contract/statuses.ts';
import { Badge, type Tone } from '#web/ui/display/badge.tsx';
import { formatList } from '#web/ui/formats.ts';
import { statuses } from '#web/ui/display/status-badge.tsx';

const STEP_STATUS_STYLES = {
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

type NamedStep = Pick<WorkflowRunStep, 'key' | 'name' | 'status'>;

const quoteNames = (steps: readonly NamedStep[]) => formatList(steps.map(({ name }) => `“${name}”`));

const FAILED_STATUSES: ReadonlySet<StepStatus> = new Set(['failed', 'canceled', 'stopped']);
const PASSED_STATUSES: ReadonlySet<StepStatus> = new Set(['succeeded', 'skipped']);

type MessageFormatter = (step: WorkflowRunStep, dependencies: readonly NamedStep[]) => string;

const STATUS_MESSAGES = {
  waiting: (_step, dependencies) => {
    const pending = dependencies.filter(({ status }) => !PASSED_STATUSES.has(status));
    if (pending.length === 0) return 'Starting soon.';
    return `Waiting for ${quoteNames(pending)}.`;
  },
  queued: () => 'In the queue. Starts automatically.',
  running: () => 'Running now.',
  succeeded: ({ kept, items }) => {
    if (kept) return 'Kept from the previous run. Not charged again.';
    return items?.length === 0 ? 'The list was empty, so there was nothing to run.' : 'Finished.';
  },
  failed: ({ error }) => error?.message ?? 'This step failed.',
  canceled: () => 'Canceled before it finished.',
  manual_review: ({ error }) =>
    `${error?.message ?? 'This step needs review.'} Steps that depend on it continue after the decision. The money stays reserved until then.`,
  skipped: () => 'Skipped in this run. Not charged.',
  stopped: (_step, dependencies) => {
    const failed = dependencies.filter(({ status }) => FAILED_STATUSES.has(status));
    return failed.length === 0
      ? 'Not started. Not charged.'
      : `Not started because ${quoteNames(failed)} did not finish. Not charged.`;
  },
} satisfies Record<StepStatus, MessageFormatter>;

export function stepStatusMessage(step: WorkflowRunStep, steps: readonly NamedStep[]): string {
  const formatMessage: MessageFormatter = STATUS_MESSAGES[step.status];
  return formatMessage(
    step,
    steps.filter(({ key }) => step.needs?.includes(key)),
  );
}

export function formatItemProgress({ items }: Pick<WorkflowRunStep, 'items'>): string | null {
  if (!items || items.length === 0) return null;
  return `${items.filter(({ status }) => status === 'succeeded').length} of ${items.length} done`;
}
