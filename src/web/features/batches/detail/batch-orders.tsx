import { LayoutGrid, List } from 'lucide-react';
import { BATCH_ORDER_STATUSES, type BatchOrderStatus } from '#contract/statuses.ts';
import type { Batch } from '#contract/resources/batch.ts';
import { cx } from '#web/ui/cx.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { parseOption } from '#web/ui/search-params.ts';
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx';
import { ORDER_STATUS_LABELS } from '../batch-labels.tsx';
import type { BatchSearch } from '../batches-search.ts';
import { OrderTable } from './order-table.tsx';
import { ResultGrid } from './result-grid.tsx';

const VIEWS = [
  { value: 'results', label: <LayoutGrid aria-hidden="true" className="size-4" />, name: 'Results' },
  { value: 'orders', label: <List aria-hidden="true" className="size-4" />, name: 'Orders' },
] as const;

interface BatchOrdersProps {
  batch: Batch;
  search: BatchSearch;
  onChange: (search: BatchSearch) => void;
}

/** The results as pictures, or all orders as a table with their problems. */
export function BatchOrders({ batch, search, onChange }: BatchOrdersProps) {
  const { orders } = search;
  const status = parseOption(BATCH_ORDER_STATUSES, orders);
  const showAll = () => onChange({ orders: 'all' });
  return (
    <section aria-label="Orders" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <SegmentedControl
          label="View"
          value={orders ? 'orders' : 'results'}
          options={VIEWS}
          onChange={(next) => onChange(next === 'orders' ? { orders: 'all' } : {})}
        />
        <OrderFilter counts={batch.counts} value={status} onChange={(next) => onChange({ orders: next ?? 'all' })} />
      </div>
      {orders ? (
        <OrderTable batch={batch} status={status} onClear={showAll} />
      ) : (
        <ResultGrid batch={batch} onShowTable={showAll} />
      )}
    </section>
  );
}

const chip = cx(
  'flex h-8 flex-none items-center gap-1.5 rounded-full border border-line px-3 text-sm font-medium text-ink-2 tabular-nums select-none pointer-coarse:h-11',
  'transition-colors hover:text-ink aria-pressed:border-transparent aria-pressed:bg-ink aria-pressed:text-canvas',
);

interface OrderFilterProps {
  counts: Batch['counts'];
  value: BatchOrderStatus | undefined;
  onChange: (status: BatchOrderStatus | undefined) => void;
}

/** Counts by status; pressing one shows those orders. */
function OrderFilter({ counts, value, onChange }: OrderFilterProps) {
  const statuses = (Object.keys(ORDER_STATUS_LABELS) as BatchOrderStatus[]).filter(
    (status) => counts[status] > 0 || status === value,
  );
  return (
    <fieldset
      aria-label="Orders by status"
      className="-m-1 flex min-w-0 gap-1.5 overflow-x-auto p-1 [scrollbar-width:none]"
    >
      {statuses.map((status) => (
        <button
          key={status}
          type="button"
          aria-pressed={status === value}
          className={chip}
          onClick={() => onChange(status === value ? undefined : status)}
        >
          {formatNumber(counts[status])} {ORDER_STATUS_LABELS[status].label.toLowerCase()}
        </button>
      ))}
    </fieldset>
  );
}
