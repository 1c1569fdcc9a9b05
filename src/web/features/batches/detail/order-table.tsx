import { useCallback } from 'react';
import { formatMoney } from '#contract/money.ts';
import { isModelId, isTaskId } from '#contract/catalog.ts';
import type { BatchOrderStatus } from '#contract/batch-status.ts';
import type { Batch } from '#contract/resources/batch.ts';
import { type CatalogNames, useCatalogNames } from '#web/api/catalog-names.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { isBatchActive, type OrderListRow, useOrderList } from '#web/api/queries/batches.ts';
import { summarizeInput } from '#web/forms/inputs/describe-input.ts';
import { cx } from '#web/ui/cx.ts';
import { NoMatches } from '#web/ui/empty-state.tsx';
import { RowList } from '#web/ui/row-list.tsx';
import { Loading, Skeleton, SkeletonRows, skeletonTextWidth } from '#web/ui/skeleton.tsx';
import { OrderStatusBadge } from '../batch-labels.tsx';

const ROW_REM = 4.75;

interface OrderTableProps {
  batch: Batch;
  status: BatchOrderStatus | undefined;
  onClear: () => void;
}

export function OrderTable({ batch, status, onClear }: OrderTableProps) {
  const list = useOrderList(batch.id, status, isBatchActive(batch));
  const names = useCatalogNames();
  const renderRow = useCallback((order: OrderListRow) => <OrderTableRow order={order} names={names} />, [names]);
  return (
    <ListStates
      list={list}
      what="The orders"
      older="Further orders"
      loading={
        <Loading label="Loading orders">
          <OrderRowSkeletons rows={8} />
        </Loading>
      }
      empty={
        <NoMatches action="Show all orders" onClear={onClear}>
          No order has this status.
        </NoMatches>
      }
    >
      <RowList
        label="Orders"
        items={list.rows}
        row_rem={ROW_REM}
        hasMore={list.hasMore}
        more={<OrderRowSkeletons rows={3} />}
        onNearEnd={list.onNearEnd}
        className="border-t border-line"
      >
        {renderRow}
      </RowList>
    </ListStates>
  );
}

/** What the order asks for; its id where the catalog no longer has the task. */
export function summarizeOrder({ order }: Pick<OrderListRow, 'order'>, names: CatalogNames): string {
  const { task, model, input } = order;
  if (!isTaskId(task)) return task;
  return summarizeInput({ task, model: model !== null && isModelId(model) ? model : null, input }, names);
}

const orderModel = ({ order: { model } }: OrderListRow, names: CatalogNames): string | null =>
  model === null ? null : (names.find(model) ?? model);

function OrderTableRow({ order, names }: { order: OrderListRow; names: CatalogNames }) {
  const { index, generation, estimated_usd, error } = order;
  const problem = error?.message ?? (generation?.status === 'failed' ? generation.error?.message : undefined);
  const text = summarizeOrder(order, names);
  return (
    <div
      className={cx(
        "relative grid h-full grid-cols-[2rem_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line px-1 [grid-template-areas:'number_text_cost'_'number_state_state'] @md:px-2",
        '@3xl:grid-cols-[2.5rem_minmax(0,1fr)_minmax(0,20rem)_6rem] @3xl:[grid-template-areas:"number_text_state_cost"]',
        generation && 'transition-colors hover:bg-hover',
      )}
    >
      <span className="text-right text-xs text-ink-3 tabular-nums [grid-area:number]">{index + 1}</span>
      <div className="min-w-0 self-end [grid-area:text] @3xl:self-center">
        {generation ? (
          <a
            href={`/generations/${generation.id}`}
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
      </div>
      <div className="flex min-w-0 items-center gap-2 self-start pt-1 [grid-area:state] @3xl:self-center @3xl:pt-0">
        <OrderStatusBadge status={order.status} generation={generation} />
        {problem ? (
          <span className="line-clamp-2 min-w-0 text-sm leading-4.5 text-ink-2" title={problem}>
            {problem}
          </span>
        ) : null}
      </div>
      <span className="self-end text-right text-sm text-ink-2 tabular-nums [grid-area:cost] @3xl:self-center">
        {formatCost(generation?.usage, estimated_usd)}
      </span>
    </div>
  );
}

function formatCost(
  usage: NonNullable<OrderListRow['generation']>['usage'] | undefined,
  estimated_usd: string | null,
): string {
  if (usage) return usage.billing_status === 'released' ? '–' : formatMoney(usage.amount_usd);
  return estimated_usd === null ? '–' : `about ${formatMoney(estimated_usd)}`;
}

function OrderRowSkeletons({ rows }: { rows: number }) {
  return (
    <SkeletonRows rows={rows} className="flex h-19 items-center gap-4 px-2">
      {(row) => (
        <>
          <Skeleton className={cx('h-4', skeletonTextWidth(row))} />
          <Skeleton className="ml-auto h-5 w-20 flex-none" />
        </>
      )}
    </SkeletonRows>
  );
}
