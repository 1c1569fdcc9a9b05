import { Link } from '@tanstack/react-router';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { RowCreator } from '#web/api/creator.tsx';
import type { Column } from '#web/api/list-columns.ts';
import { Money } from '#web/api/money.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { workflowRunName, runSummary, formatStepCount } from './run-labels.ts';

export const WORKFLOW_RUN_NARROW = {
  columns: 'auto auto minmax(0,1fr) auto',
  areas: ['text text text steps', 'status cost time time'],
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
    id: 'steps',
    header: 'Steps',
    width: '8rem',
    line: 1,
    className: 'pb-1 text-sm whitespace-nowrap text-ink-3 tabular-nums',
    skeleton: 'h-4 w-16',
    cell: ({ steps }) => formatStepCount(steps),
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
