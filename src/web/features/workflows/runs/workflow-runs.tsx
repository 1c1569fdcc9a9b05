import { Link } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import type { WorkflowRun } from '#contract/resources/workflow-run.ts';
import { Money } from '#web/api/money.tsx';
import { useWorkflowRunList } from '#web/api/queries/workflow-runs.ts';
import { defineCollection, type EmptyProps } from '#web/collections/collection-view.tsx';
import { RowCreator } from '#web/collections/creator.tsx';
import { type Column, ROW_LINK } from '#web/collections/list-columns.ts';
import { ShowEverybodyButton } from '#web/collections/made-by-filter.tsx';
import { MediaThumbnail } from '#web/media/library/media-thumbnail.tsx';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { StatusBadge } from '#web/ui/display/status-badge.tsx';
import { RUN_FILTERS } from '../workflows-search.ts';
import { formatChangedInputs, formatStepCount, runSummary, workflowRunName } from './run-labels.ts';

const COLUMNS: readonly Column<WorkflowRun>[] = [
  {
    id: 'thumb',
    width: '3rem',
    className: 'relative size-12 overflow-hidden rounded-sm bg-hover',
    skeleton: 'size-12',
    cell: ({ preview }) =>
      preview ? (
        <MediaThumbnail medium={preview} widthPx={48} cover />
      ) : (
        <Workflow aria-hidden="true" className="absolute inset-0 m-auto size-5 text-ink-3" />
      ),
  },
  {
    id: 'text',
    header: 'Workflow',
    width: 'minmax(0,1fr)',
    line: 1,
    className: 'min-w-0 truncate pb-0.5 [&>a]:font-medium',
    skeleton: 'text',
    cell: (run) => {
      const summary = [formatChangedInputs(run), runSummary(run)].filter(Boolean).join(' · ');
      return (
        <>
          <Link to="/workflows/runs/$id" params={{ id: run.id }} {...ROW_LINK}>
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
    from: 'wide',
    className: 'text-sm whitespace-nowrap text-ink-3 tabular-nums',
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

function NoRuns({ onShowEverybody }: EmptyProps<typeof RUN_FILTERS>) {
  return (
    <EmptyState
      icon={<Workflow aria-hidden="true" />}
      title={onShowEverybody ? 'You have no runs yet' : 'No runs yet'}
      actions={
        <>
          <Link to="/workflows" search={{}} className={buttonClass({ variant: 'primary' })}>
            Browse workflows
          </Link>
          {onShowEverybody ? <ShowEverybodyButton onClick={onShowEverybody} /> : null}
        </>
      }
    >
      Runs appear here with their progress, results, and cost.
    </EmptyState>
  );
}

export const WORKFLOW_RUNS = defineCollection({
  label: 'Runs',
  item: 'run',
  group: 'Workflows',
  filters: RUN_FILTERS,
  useList: useWorkflowRunList,
  body: {
    columns: COLUMNS,
    narrow: {
      columns: '3rem auto auto minmax(0,1fr)',
      areas: ['thumb text text text', 'thumb status cost time'],
    },
    rowRem: 4.25,
  },
  Empty: NoRuns,
});
