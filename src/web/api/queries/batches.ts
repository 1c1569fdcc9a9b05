import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BatchOrderStatus } from '#contract/statuses.ts';
import type { BodyInput } from '#contract/endpoints.ts';
import type { Batch } from '#contract/resources/batch.ts';
import { api } from '../api.ts';
import { batchKeys } from './batch-keys.ts';
import { type LiveList, replaceRow } from './live-list.ts';
import { type EndpointFilters, queryKeys } from './query-keys.ts';

const POLL_MS = 2000;
const REVIEW_POLL_MS = 15_000;
const PAGE_SIZE = 50;
const ORDERS_PAGE_SIZE = 100;

export type BatchFilters = EndpointFilters<'list_batches'>;

/** Whether generations of a batch are active, or will start without anybody's help. */
export const isBatchActive = ({ status, counts }: Pick<Batch, 'status' | 'counts'>): boolean =>
  status === 'running' || counts.active > 0;

/** Most of these polls are answered with a 304. */
function batchPollInterval_ms(batch: Batch | undefined): number | false {
  if (!batch) return false;
  if (isBatchActive(batch)) return POLL_MS;
  // Budgets and approvals change elsewhere, and a review is decided by somebody else.
  return batch.status === 'paused' || batch.counts.manual_review > 0 ? REVIEW_POLL_MS : false;
}

export const loadBatch = (id: string, signal: AbortSignal) =>
  api.call('get_batch', { params: { batch_id: id }, signal });

export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: batchKeys.detail(id),
    queryFn: ({ signal }) => loadBatch(id, signal),
    refetchInterval: ({ state }) => batchPollInterval_ms(state.data),
  });

export const loadBatchPage = (filters: BatchFilters, cursor: string | null, signal: AbortSignal) =>
  api.call('list_batches', { query: { ...filters, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) }, signal });

export const loadOrderPage = (
  id: string,
  status: BatchOrderStatus | undefined,
  cursor: string | null,
  signal: AbortSignal,
) =>
  api.call('list_batch_orders', {
    params: { batch_id: id },
    query: { limit: ORDERS_PAGE_SIZE, ...(status ? { status } : {}), ...(cursor ? { cursor } : {}) },
    signal,
  });

export const downloadBatchResults = (id: string): Promise<Blob> =>
  api.download('export_batch', { params: { batch_id: id } });

function cacheBatch(client: QueryClient, batch: Batch): void {
  client.setQueryData(batchKeys.detail(batch.id), batch);
  client.setQueriesData<LiveList<Batch>>({ queryKey: batchKeys.lists }, (list) =>
    list ? replaceRow(list, batch) : list,
  );
  void client.invalidateQueries({ queryKey: batchKeys.heads });
  void client.invalidateQueries({ queryKey: batchKeys.ordersOf(batch.id) });
  void client.invalidateQueries({ queryKey: queryKeys.generations.heads });
  void client.invalidateQueries({ queryKey: queryKeys.billing.all });
}

export interface BatchRequest {
  body: BodyInput<'create_batch'>;
  /** The same request with the same key never starts twice. */
  idempotency_key: string;
}

/** Starts a list of orders. A request without a response is sent again with its idempotency key. */
export function useStartBatch() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: BatchRequest) => api.call('create_batch', request),
    networkMode: 'always',
    onSuccess: (batch) => cacheBatch(client, batch),
  });
}

export type BatchChange =
  | { action: 'pause' | 'retry' }
  /** null removes the limit, undefined keeps it. */
  | { action: 'resume'; stop_at_usd?: string | null }
  | { action: 'cancel'; cancel_running: boolean };

function changeBatch(id: string, change: BatchChange): Promise<Batch> {
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
export function useChangeBatch(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: BatchChange) => changeBatch(id, change),
    onMutate: () => client.cancelQueries({ queryKey: batchKeys.detail(id) }),
    onSuccess: (batch) => cacheBatch(client, batch),
  });
}
