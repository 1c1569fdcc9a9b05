import { Link } from '@tanstack/react-router';
import type { WorkflowRun, WorkflowRunStep } from '#contract/resources/workflow-run.ts';
import { RowCreator } from '#web/api/creator.tsx';
import type { Column } from '#web/api/list-columns.ts';
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

export const WORKFLOW_RUN_NARROW = {
  columns: 'auto auto minmax(0,1fr) auto',
  areas: ['text text text strip', 'status cost time time'],
};

export const workflowRunColumns = (onFocus: (id: string) => void): readonly Column<WorkflowRun>[] => [
  {
    id: 'text',
    header: 'Workflow',
    width: 'minmax(0,1fr)',
    line: 1,
    className: 'min-w-0 truncate pb-0.5',
    skeleton: 'text',
    cell: (run) => {
      const summary = runSummary(run);
      return (
        <>
          <Link
            to="/workflows/runs/$id"
            params={{ id: run.id }}
            data-row=""
            onFocus={() => onFocus(run.id)}
            className="font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
          >
            {workflowRunName(run)}
          </Link>
          {summary ? (
            <span className="ml-2 text-ink-3 @3xl:ml-0 @3xl:block @3xl:truncate @3xl:text-sm">{summary}</span>
          ) : null}
        </>
      );
    },
  },
  {
    id: 'strip',
    header: 'Steps',
    width: '11rem',
    line: 1,
    className: 'pb-1',
    skeleton: 'h-2 w-16',
    cell: ({ steps }) => <StepStrip steps={steps} />,
  },
  {
    id: 'status',
    header: 'Status',
    width: '7.5rem',
    line: 2,
    className: 'pt-0.5',
    skeleton: 'h-5 w-18',
    cell: ({ status, progress }) => <StatusBadge status={status} progress={progress ?? null} />,
  },
  {
    id: 'cost',
    header: 'Cost',
    width: '5.5rem',
    line: 2,
    align: 'right',
    className: 'pt-1 text-sm',
    skeleton: 'h-4 w-12',
    cell: ({ usage }) => <Money amount_usd={usage.amount_usd} />,
  },
  {
    id: 'time',
    header: 'Started',
    width: '6rem',
    line: 2,
    align: 'right',
    className:
      'relative z-1 flex min-w-0 items-center justify-end gap-2 pt-1 text-sm text-ink-3 @3xl:flex-col @3xl:items-end @3xl:gap-0.5',
    skeleton: 'h-4 w-14',
    cell: ({ created_at, created_by }) => (
      <>
        <RelativeTime at={created_at} className="truncate" />
        <RowCreator created_by={created_by} className="@max-3xl:order-first" />
      </>
    ),
  },
];
