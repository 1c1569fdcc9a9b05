import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { WorkflowRun, WorkflowRunStep } from '#contract/resources/workflow-run.ts';
import { RowCreator } from '#web/api/creator.tsx';
import { cx } from '#web/ui/cx.ts';
import { Money } from '#web/api/money.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { workflowRunName, runSummary, formatStepCount } from './run-labels.ts';
import type { StepStatus } from '#contract/statuses.ts';

const statusClasses = {
  waiting: 'bg-press',
  queued: 'bg-press',
  running: 'bg-amber',
  succeeded: 'bg-good',
  failed: 'bg-bad',
  canceled: 'bg-edge',
  manual_review: 'bg-review',
  skipped: 'border border-dashed border-line-strong',
  stopped: 'bg-press',
} satisfies Record<StepStatus, string>;

function StepStrip({ steps }: { steps: readonly Pick<WorkflowRunStep, 'key' | 'status'>[] }) {
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden="true" className="flex max-w-24 gap-0.5">
        {steps.map(({ key, status }) => (
          <span key={key} className={cx('h-2 w-3 min-w-0.5 shrink rounded-[2px]', statusClasses[status])} />
        ))}
      </span>
      <span aria-hidden="true" className="text-xs whitespace-nowrap text-ink-3 tabular-nums @max-3xl:hidden">
        {formatStepCount(steps).replace(/ steps? done$/, '')}
      </span>
      <span className="sr-only">{formatStepCount(steps)}</span>
    </span>
  );
}

/** Two lines in narrow containers, columns in wide ones. The virtual list needs a fixed row height. */
export const runRowGrid = cx(
  "grid items-center gap-x-3 px-1 @md:px-3 [grid-template-areas:'text_text_text_strip'_'status_cost_time_time'] grid-cols-[auto_auto_minmax(0,1fr)_auto]",
  "@3xl:[grid-template-areas:'text_strip_status_cost_time'] @3xl:grid-cols-[minmax(0,1fr)_11rem_7.5rem_5.5rem_6rem] @3xl:gap-x-4",
);

export interface WorkflowRunRowProps {
  run: WorkflowRun;
  onFocus: (id: string) => void;
}

export const WorkflowRunRow = memo(function WorkflowRunRow({ run, onFocus }: WorkflowRunRowProps) {
  const { id, status, progress, usage, created_at, created_by } = run;
  const summary = runSummary(run);
  return (
    <div
      className={cx(
        runRowGrid,
        'relative h-full border-b border-line transition-colors hover:bg-hover has-[a[data-row]:focus-visible]:bg-hover',
      )}
    >
      <p className="min-w-0 self-end truncate pb-0.5 [grid-area:text] @3xl:self-center @3xl:pb-0">
        <Link
          to="/workflows/runs/$id"
          params={{ id }}
          data-row=""
          onFocus={() => onFocus(id)}
          className="font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
        >
          {workflowRunName(run)}
        </Link>
        {summary ? (
          <span className="ml-2 text-ink-3 @3xl:ml-0 @3xl:block @3xl:truncate @3xl:text-sm">{summary}</span>
        ) : null}
      </p>
      <div className="self-end pb-1 [grid-area:strip] @3xl:self-center @3xl:pb-0">
        <StepStrip steps={run.steps} />
      </div>
      <div className="self-start pt-0.5 [grid-area:status] @3xl:self-center @3xl:pt-0">
        <StatusBadge status={status} progress={progress ?? null} />
      </div>
      <div className="self-start pt-1 text-sm [grid-area:cost] @3xl:self-center @3xl:pt-0 @3xl:text-right">
        <Money amount_usd={usage.amount_usd} />
      </div>
      <div className="relative z-1 flex min-w-0 items-center justify-end gap-2 self-start pt-1 text-sm text-ink-3 [grid-area:time] @3xl:flex-col @3xl:items-end @3xl:gap-0.5 @3xl:self-center @3xl:pt-0">
        <RelativeTime at={created_at} className="truncate" />
        <RowCreator created_by={created_by} className="@max-3xl:order-first" />
      </div>
    </div>
  );
});

/** Hidden from screen readers because every row names its own cells. */
export function RunTableHead() {
  return (
    <div
      aria-hidden="true"
      className={cx(runRowGrid, 'hidden h-9 border-b border-line text-xs font-medium text-ink-3 @3xl:grid')}
    >
      <span className="[grid-area:text]">Workflow</span>
      <span className="[grid-area:strip]">Steps</span>
      <span className="[grid-area:status]">Status</span>
      <span className="text-right [grid-area:cost]">Cost</span>
      <span className="text-right [grid-area:time]">Started</span>
    </div>
  );
}
