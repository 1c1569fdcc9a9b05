import { useMemo } from 'react';
import { formatMoney } from '#contract/money/money.ts';
import { isTaskId } from '#contract/catalog.ts';
import type { BatchOrderStatus } from '#contract/statuses.ts';
import type { Batch } from '#contract/resources/batch.ts';
import { isModelId } from '#web/api/known-models.ts';
import { type CatalogNames, useCatalogNames } from '#web/api/catalog-names.ts';
import type { Column } from '#web/collections/list-columns.ts';
import { ResourceList } from '#web/collections/resource-list.tsx';
import { isBatchActive, type OrderListRow, useOrderList } from '#web/api/queries/batches.ts';
import { summarizeInput, workTitle } from '#web/forms/inputs/describe-input.ts';
import { NoMatches } from '#web/ui/display/empty-state.tsx';
import { OrderStatusBadge } from '../batch-labels.tsx';

const NARROW = { columns: '2rem minmax(0,1fr) auto', areas: ['number text cost', 'number state state'] };

interface OrderTableProps {
  batch: Batch;
  status: BatchOrderStatus | undefined;
  onClear: () => void;
}

export function OrderTable({ batch, status, onClear }: OrderTableProps) {
  const list = useOrderList(batch.id, status, isBatchActive(batch));
  const names = useCatalogNames();
  const columns = useMemo(() => columnsOf(names), [names]);
  return (
    <ResourceList
      label="Orders"
      list={list}
      columns={columns}
      narrow={NARROW}
      rowRem={4.75}
      what="The orders"
      older="Further orders"
      loadingLabel="Loading orders"
      className="border-t border-line"
      rowProps={rowProps}
      empty={
        <NoMatches action="Show all orders" onClear={onClear}>
          No order has this status.
        </NoMatches>
      }
    />
  );
}

const rowProps = ({ generation }: OrderListRow) => (generation ? {} : { className: 'hover:bg-transparent!' });

/** What the order asks for; its id where the catalog no longer has the task. */
export function summarizeOrder(
  { order, generation }: Pick<OrderListRow, 'order' | 'generation'>,
  names: CatalogNames,
): string {
  const { task, model, input, name } = order;
  if (!isTaskId(task)) return task;
  if (generation) return workTitle(generation, names);
  return name ?? summarizeInput({ task, model: model !== null && isModelId(model) ? model : null, input }, names);
}

const orderModel = ({ order: { model } }: OrderListRow, names: CatalogNames): string | null =>
  model === null ? null : (names.find(model) ?? model);

const columnsOf = (names: CatalogNames): readonly Column<OrderListRow>[] => [
  {
    id: 'number',
    width: '2.5rem',
    className: 'text-right text-xs text-ink-3 tabular-nums',
    cell: ({ index }) => index + 1,
  },
  {
    id: 'text',
    width: 'minmax(0,1fr)',
    line: 1,
    className: 'min-w-0',
    skeleton: 'text',
    cell: (order) => {
      const text = summarizeOrder(order, names);
      return (
        <>
          {order.generation ? (
            <a
              href={`/generations/${order.generation.id}`}
              dir="auto"
              className="block truncate font-medium outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
            >
              {text}
            </a>
          ) : (
            <span dir="auto" className="block truncate font-medium">
              {text}
            </span>
          )}
          <span className="hidden truncate text-sm text-ink-3 @3xl:block">{orderModel(order, names)}</span>
        </>
      );
    },
  },
  {
    id: 'state',
    width: 'minmax(0,20rem)',
    line: 2,
    className: 'flex min-w-0 items-center gap-2 pt-1',
    skeleton: 'h-5 w-20',
    cell: ({ status, generation, error }) => {
      const problem = error?.message ?? (generation?.status === 'failed' ? generation.error?.message : undefined);
      return (
        <>
          <OrderStatusBadge status={status} generation={generation} />
          {problem ? (
            <span className="line-clamp-2 min-w-0 text-sm leading-4.5 text-ink-2" title={problem}>
              {problem}
            </span>
          ) : null}
        </>
      );
    },
  },
  {
    id: 'cost',
    width: '6rem',
    line: 1,
    align: 'right',
    className: 'text-sm text-ink-2 tabular-nums',
    skeleton: 'h-4 w-12',
    cell: ({ generation, estimated_usd }) => formatCost(generation?.usage, estimated_usd),
  },
];

function formatCost(
  usage: NonNullable<OrderListRow['generation']>['usage'] | undefined,
  estimatedUsd: string | null,
): string {
  if (usage) return usage.billing_status === 'released' ? '–' : formatMoney(usage.amount_usd);
  return estimatedUsd === null ? '–' : `about ${formatMoney(estimatedUsd)}`;
}
