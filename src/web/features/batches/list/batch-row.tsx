import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { formatMoney } from '#contract/money.ts';
import type { Batch } from '#contract/resources/batch.ts';
import { RowCreator } from '#web/api/creator.tsx';
import { cx } from '#web/ui/cx.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { batchName, BatchStatusBadge, PAUSE_LABELS } from '../batch-labels.tsx';
import { BatchProgressBar, doneCount } from '../progress-bar.tsx';

/** Two lines in narrow containers, columns in wide ones. The virtual list needs a fixed row height. */
const batchRowGrid = cx(
  "grid items-center gap-x-3 px-1 @md:px-3 [grid-template-areas:'text_text_progress'_'status_cost_time'] grid-cols-[auto_minmax(0,1fr)_auto]",
  "@3xl:[grid-template-areas:'text_progress_status_cost_time'] @3xl:grid-cols-[minmax(0,1fr)_11rem_7rem_6rem_7rem] @3xl:gap-x-4",
);

export const BatchRow = memo(function BatchRow({ batch, onFocus }: { batch: Batch; onFocus: (id: string) => void }) {
  const { id, status, counts, spent_usd, created_at, created_by, pause_reason } = batch;
  const note = pause_reason && pause_reason !== 'requested' ? PAUSE_LABELS[pause_reason] : failedText(counts);
  return (
    <div
      className={cx(
        batchRowGrid,
        'relative h-full border-b border-line transition-colors hover:bg-hover has-[a[data-row]:focus-visible]:bg-hover',
      )}
    >
      <p className="min-w-0 self-end truncate [grid-area:text] @3xl:self-center">
        <Link
          to="/batches/$id"
          params={{ id }}
          data-row=""
          dir="auto"
          onFocus={() => onFocus(id)}
          className="font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
        >
          {batchName(batch)}
        </Link>
        {note ? <span className="ml-2 text-sm text-ink-3 @3xl:ml-0 @3xl:block @3xl:truncate">{note}</span> : null}
      </p>
      <div className="flex items-center gap-2 self-end pb-1 [grid-area:progress] @3xl:self-center @3xl:pb-0">
        <BatchProgressBar counts={counts} className="h-1.5 w-16 @3xl:w-24" />
        <span className="text-xs whitespace-nowrap text-ink-3 tabular-nums">
          {formatNumber(doneCount(counts))} / {formatNumber(counts.total)}
          <span className="sr-only"> done</span>
        </span>
      </div>
      <div className="self-start pt-1 [grid-area:status] @3xl:self-center @3xl:pt-0">
        <BatchStatusBadge status={status} />
      </div>
      <div className="self-start pt-1.5 text-sm tabular-nums [grid-area:cost] @3xl:self-center @3xl:pt-0 @3xl:text-right">
        {formatMoney(spent_usd)}
      </div>
      <div className="relative z-1 flex min-w-0 items-center justify-end gap-2 self-start pt-1.5 text-sm text-ink-3 [grid-area:time] @3xl:flex-col @3xl:items-end @3xl:gap-0.5 @3xl:self-center @3xl:pt-0">
        <RelativeTime at={created_at} className="truncate" />
        <RowCreator created_by={created_by} className="@max-3xl:order-first" />
      </div>
    </div>
  );
});

const failedText = ({ failed }: Batch['counts']): string | null =>
  failed > 0 ? `${formatNumber(failed)} failed` : null;

/** Hidden from screen readers because every row names its own cells. */
export function BatchTableHead() {
  return (
    <div
      aria-hidden="true"
      className={cx(batchRowGrid, 'hidden h-9 border-b border-line text-xs font-medium text-ink-3 @3xl:grid')}
    >
      <span className="[grid-area:text]">Batch</span>
      <span className="[grid-area:progress]">Progress</span>
      <span className="[grid-area:status]">Status</span>
      <span className="text-right [grid-area:cost]">Spent</span>
      <span className="text-right [grid-area:time]">Started</span>
    </div>
  );
}
