import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { BatchOrderStatus } from '#contract/statuses.ts';
import type { List } from '#contract/primitives.ts';
import type { BatchOrder } from '#contract/resources/batch.ts';
import { batchKeys } from './batch-keys.ts';
import { loadOrderPage } from './batches.ts';
import { queryError } from './query-error.ts';

/** A read of all loaded pages, most of which are answered with a 304. */
const POLL_MS = 3000;

export interface OrderListRow extends BatchOrder {
  id: string;
}

/** Rows by order, so that an unchanged order stays the same object. */
const rows = new WeakMap<BatchOrder, OrderListRow>();

function toRow(order: BatchOrder): OrderListRow {
  const known = rows.get(order);
  if (known) return known;
  const row = { ...order, id: String(order.index) };
  rows.set(order, row);
  return row;
}

/**
 * The orders of a batch, in the order of the request.
 * @param is_active whether orders change without anybody's help
 */
export function useOrderList(batch_id: string, status: BatchOrderStatus | undefined, is_active: boolean) {
  const list = useInfiniteQuery({
    queryKey: batchKeys.orders(batch_id, status),
    queryFn: ({ pageParam, signal }) => loadOrderPage(batch_id, status, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: List<BatchOrder>) => page.next_cursor,
    refetchInterval: is_active ? POLL_MS : false,
    placeholderData: keepPreviousData,
  });
  const orders = useMemo(() => (list.data?.pages ?? []).flatMap(({ data }) => data.map(toRow)), [list.data]);
  const { fetchNextPage } = list;
  const loadMore = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]);
  const hasMore = list.hasNextPage && !list.isFetchNextPageError;
  const onNearEnd = useCallback(() => {
    if (hasMore) loadMore();
  }, [hasMore, loadMore]);
  const problem = queryError(list);
  return {
    rows: orders,
    isLoading: list.isPending && problem === null,
    isStale: list.isPlaceholderData,
    problem,
    hasMore,
    onNearEnd,
    moreFailed: list.isFetchNextPageError,
    loadMore,
    reload: () => void list.refetch(),
  };
}
