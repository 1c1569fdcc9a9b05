import { Link } from '@tanstack/react-router';
import { Download, Rows3 } from 'lucide-react';
import { formatMoney } from '#contract/money/money.ts';
import type { Batch } from '#contract/resources/batch.ts';
import { useBatchList } from '#web/api/queries/batches.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { defineCollection, type EmptyProps } from '#web/collections/collection-view.tsx';
import { RowCreator } from '#web/collections/creator.tsx';
import type { QueryOf } from '#web/collections/filter-rows.ts';
import { type Column, ROW_LINK } from '#web/collections/list-columns.ts';
import { ShowEverybodyButton } from '#web/collections/made-by-filter.tsx';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';
import { batchName, BatchStatusBadge, PAUSE_LABELS } from './batch-labels.tsx';
import { BATCH_FILTERS } from './batches-search.ts';
import { BatchProgressBar, doneCount } from './progress-bar.tsx';
import { saveExampleCsv } from './source/example-csv.ts';

const COLUMNS: readonly Column<Batch>[] = [
  {
    id: 'text',
    header: 'Batch',
    width: 'minmax(0,1fr)',
    line: 1,
    className: 'min-w-0 truncate [&>a]:font-medium',
    skeleton: 'text',
    cell: (batch) => {
      const { pause_reason, counts } = batch;
      const note = pause_reason && pause_reason !== 'requested' ? PAUSE_LABELS[pause_reason] : failedText(counts);
      return (
        <>
          <Link to="/batches/$id" params={{ id: batch.id }} dir="auto" {...ROW_LINK}>
            {batchName(batch)}
          </Link>
          {note ? <span className="ml-2 text-sm text-ink-3 @3xl:ml-0 @3xl:block @3xl:truncate">{note}</span> : null}
        </>
      );
    },
  },
  {
    id: 'progress',
    header: 'Progress',
    width: '11rem',
    line: 1,
    className: 'flex items-center gap-2 pb-1',
    skeleton: 'h-2 w-24 rounded-full',
    cell: ({ counts }) => (
      <>
        <BatchProgressBar counts={counts} className="h-1.5 w-16 @3xl:w-24" />
        <span className="text-xs whitespace-nowrap text-ink-3 tabular-nums">
          {formatNumber(doneCount(counts))} / {formatNumber(counts.total)}
          <span className="sr-only"> done</span>
        </span>
      </>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: '7rem',
    line: 2,
    className: 'pt-1',
    skeleton: 'h-5 w-18',
    cell: ({ status }) => <BatchStatusBadge status={status} />,
  },
  {
    id: 'cost',
    header: 'Spent',
    width: '6rem',
    line: 2,
    align: 'right',
    className: 'pt-1.5 text-sm tabular-nums',
    skeleton: 'h-4 w-12',
    cell: ({ spent_usd }) => formatMoney(spent_usd),
  },
  {
    id: 'time',
    header: 'Started',
    width: '7rem',
    line: 2,
    align: 'right',
    className:
      'relative z-1 flex min-w-0 items-center justify-end gap-2 pt-1.5 text-sm text-ink-3 @3xl:flex-col @3xl:items-end @3xl:gap-0.5',
    skeleton: 'h-4 w-14',
    cell: ({ created_at, created_by }) => (
      <>
        <RelativeTime at={created_at} className="truncate" />
        <RowCreator created_by={created_by} className="@max-3xl:order-first" />
      </>
    ),
  },
];

const failedText = ({ failed }: Batch['counts']): string | null =>
  failed > 0 ? `${formatNumber(failed)} failed` : null;

function NoBatches({ onShowEverybody }: EmptyProps<typeof BATCH_FILTERS>) {
  const canCreate = useCan('work.create');
  return (
    <EmptyState
      icon={<Rows3 aria-hidden="true" />}
      title={onShowEverybody ? 'You have no batches yet' : 'No batches yet'}
      actions={
        <>
          {canCreate ? (
            <>
              <Link to="/batches/new" className={buttonClass({ variant: 'primary' })}>
                New batch
              </Link>
              <Button icon={<Download aria-hidden="true" className="size-4" />} onClick={saveExampleCsv}>
                Example CSV
              </Button>
            </>
          ) : null}
          {onShowEverybody ? <ShowEverybodyButton onClick={onShowEverybody} /> : null}
        </>
      }
    >
      A batch is a list of up to 1,000 orders. Write a row for each in a spreadsheet, with a column for each value that
      differs, and save it as CSV. You see every price and problem before anything starts.
    </EmptyState>
  );
}

const useListedBatches = (query: QueryOf<typeof BATCH_FILTERS>, isReady: boolean) =>
  useBatchList({ ...query, mode: 'list' }, isReady);

export const BATCHES = defineCollection({
  label: 'Batches',
  item: 'batch',
  what: 'Your batches',
  filters: BATCH_FILTERS,
  useList: useListedBatches,
  body: {
    columns: COLUMNS,
    narrow: { columns: 'auto minmax(0,1fr) auto', areas: ['text text progress', 'status cost time'] },
    rowRem: 4.5,
  },
  skeletonRows: 6,
  Empty: NoBatches,
});
