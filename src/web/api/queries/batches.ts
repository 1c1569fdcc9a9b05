import { keepPreviousData, type QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { BatchOrderStatus } from '#contract/statuses.ts';
import type { BodyInput } from '#contract/api/endpoints.ts';
import type { Batch, BatchOrder } from '#contract/resources/batch.ts';
import { api } from '../api.ts';
import { apiKey, apiMutation, apiPages, apiQuery, type EndpointFilters, invalidate } from '../api-query.ts';
import { type LiveList, replaceRow } from '../live-list.ts';
import { useLiveList } from '../use-live-list.ts';
import { useInvalidateOnChange, usePollActiveRows } from '../use-poll-active-rows.ts';
import { queryError } from '../api-errors.ts';
import { BILLING_READS, GENERATION_LISTS, GENERATION_READS } from './stale-endpoints.ts';

const POLL_MS = { batch: 2000, review: 15_000, list: 3000, olderRows: 5000, orders: 3000 };

export type BatchFilters = EndpointFilters<'list_batches'>;

/** Whether generations of a batch are active, or will start without anybody's help. */
export const isBatchActive = ({ status, counts }: Pick<Batch, 'status' | 'counts'>): boolean =>
  status === 'running' || counts.active > 0;

/** Most of these polls are answered with a 304. */
function batchPollInterval(batch: Batch | undefined): number | false {
  if (!batch) return false;
  if (isBatchActive(batch)) return POLL_MS.batch;
  // Budgets and approvals change elsewhere, and a review is decided by somebody else.
  return batch.status === 'paused' || batch.counts.manual_review > 0 ? POLL_MS.review : false;
}

export const batchQuery = (id: string) =>
  apiQuery('get_batch', { params: { batch_id: id } }, { poll: batchPollInterval });

/** Batches that match, with active ones polled. */
export function useBatchList(filters: BatchFilters, isReady?: boolean) {
  const request = { query: { ...filters, limit: 50 } };
  const list = useLiveList({
    name: 'list_batches',
    request,
    isReady,
    read: (page) => page,
    poll: (rows) => (rows.some(isBatchActive) ? POLL_MS.list : false),
  });
  usePollActiveRows<Batch>({
    listKey: apiKey('list_batches', request, 'live'),
    list,
    isRowActive: isBatchActive,
    queryOf: (id) => ({
      queryKey: batchQuery(id).queryKey,
      load: (signal) => api.call('get_batch', { params: { batch_id: id }, signal }),
    }),
    pollMs: POLL_MS.olderRows,
  });
  const activeIds = list.rows.filter(isBatchActive).map(({ id }) => id);
  useInvalidateOnChange(activeIds.join(), BILLING_READS);
  return list;
}

export const downloadBatchResults = (id: string): Promise<Blob> =>
  api.download('export_batch', { params: { batch_id: id } });

function cacheBatch(client: QueryClient, batch: Batch): void {
  const params = { batch_id: batch.id };
  client.setQueryData(batchQuery(batch.id).queryKey, batch);
  const lists = apiKey('list_batches', {}, 'live');
  client.setQueriesData<LiveList<Batch>>({ queryKey: lists }, (list) => list && replaceRow(list, batch));
  void invalidate(client, lists, apiKey('list_batch_orders', { params }), GENERATION_LISTS, ...BILLING_READS);
}

export interface BatchRequest {
  body: BodyInput<'create_batch'>;
  /** The same request with the same key never starts twice. */
  idempotency_key: string;
}

/** Starts a list of orders. A request without a response is sent again with its idempotency key. */
export const useStartBatch = apiMutation((request: BatchRequest) => api.call('create_batch', request), {
  networkMode: 'always',
  onSuccess: (batch, _request, _result, { client }) => cacheBatch(client, batch),
});

export type BatchChange =
  | { action: 'pause' | 'retry' }
  /** null removes the limit, undefined keeps it. */
  | { action: 'resume'; stop_at_usd?: string | null }
  | { action: 'cancel'; cancel_running: boolean };

function changeBatch({ id, ...change }: BatchChange & { id: string }): Promise<Batch> {
  const params = { batch_id: id };
  switch (change.action) {
    case 'pause':
      return api.call('pause_batch', { params });
    case 'retry':
      return api.call('retry_batch', { params });
    case 'resume': {
      const { stop_at_usd } = change;
      return api.call('resume_batch', { params, body: stop_at_usd === undefined ? {} : { stop_at_usd } });
    }
    case 'cancel':
      return api.call('cancel_batch', { params, body: { cancel_running: change.cancel_running } });
  }
}

/** Pauses, resumes, cancels or retries a batch. Each can be sent again safely. */
export const useChangeBatch = apiMutation(changeBatch, {
  onMutate: ({ id }, { client }) => client.cancelQueries({ queryKey: batchQuery(id).queryKey }),
  onSuccess: (batch, _change, _result, { client }) => cacheBatch(client, batch),
});

export interface OrderListRow extends BatchOrder {
  id: string;
}

/** Rows by order, so that an unchanged order stays the same object. */
const orderRows = new WeakMap<BatchOrder, OrderListRow>();

function toRow(order: BatchOrder): OrderListRow {
  const known = orderRows.get(order);
  if (known) return known;
  const row = { ...order, id: String(order.index) };
  orderRows.set(order, row);
  return row;
}

/**
 * The orders of a batch, in the order of the request.
 * @param isActive whether orders change without anybody's help
 */
export function useOrderList(batchId: string, status: BatchOrderStatus | undefined, isActive: boolean) {
  const list = useInfiniteQuery({
    ...apiPages('list_batch_orders', {
      params: { batch_id: batchId },
      query: { limit: 100, ...(status ? { status } : {}) },
    }),
    // A read of all loaded pages, most of which are answered with a 304.
    refetchInterval: isActive ? POLL_MS.orders : false,
    placeholderData: keepPreviousData,
  });
  const rows = useMemo(() => (list.data?.pages ?? []).flatMap(({ data }) => data.map(toRow)), [list.data]);
  const { fetchNextPage } = list;
  const loadMore = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage]);
  const hasMore = list.hasNextPage && !list.isFetchNextPageError;
  const onNearEnd = useCallback(() => {
    if (hasMore) loadMore();
  }, [hasMore, loadMore]);
  const problem = queryError(list);
  return {
    rows,
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

/** Ids of the generations of a batch, in the order of the request. */
export const togetherGenerationsQuery = (batchId: string) =>
  apiQuery(
    'list_batch_orders',
    { params: { batch_id: batchId }, query: { limit: 50 } },
    { read: ({ data }) => data.map(({ generation }) => generation?.id ?? null) },
  );

/** Cancels the active generations of a batch, or those with these ids. */
export const useCancelTogether = apiMutation(
  async ({ batchId, ids }: { batchId: string | undefined; ids: readonly string[] }) => {
    if (batchId === undefined) await api.call('cancel_generations', { body: { ids: [...ids] } });
    else await api.call('cancel_batch', { params: { batch_id: batchId }, body: { cancel_running: true } });
  },
  {
    onSettled: (_data, _error, _request, _result, { client }) =>
      void invalidate(client, ...GENERATION_READS, ...BILLING_READS),
  },
);
