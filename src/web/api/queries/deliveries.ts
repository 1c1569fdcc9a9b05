import { type QueryClient, queryOptions, useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { DeliveryStatus, WebhookDelivery } from '#contract/resources/webhook.ts';
import { api } from '../api.ts';
import { ApiError } from '../api-errors.ts';
import { type LiveList, replaceRow } from './live-list.ts';
import { queryKeys } from './query-keys.ts';
import { useLiveList } from './use-live-list.ts';

const PAGE_SIZE = 50;
/**
 * Bounds of the time until the next poll: `due` while an attempt is due, `most` while the next one is far off, because
 * it may be resent elsewhere.
 */
const POLL_MS = { due: 1_500, most: 60_000 };
/** Pending deliveries that are older than the newest page are polled one by one, so many at once. */
const MAX_OLDER_POLLED = 8;

/** Returns the time until a delivery can change; false where all are complete. */
export function deliveryPollInterval_ms(deliveries: readonly WebhookDelivery[], now_ms: number): number | false {
  const waits = deliveries
    .filter(({ status }) => status === 'pending')
    .map(({ next_attempt_at }) => (next_attempt_at === null ? 0 : Date.parse(next_attempt_at) - now_ms));
  if (waits.length === 0) return false;
  return Math.min(Math.max(Math.min(...waits), POLL_MS.due), POLL_MS.most);
}

/** One delivery with its payload, polled until it is complete. Needs an organization key. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.webhooks.delivery(id),
    queryFn: ({ signal }) => api.call('get_webhook_delivery', { params: { delivery_id: id }, signal }),
    refetchInterval: ({ state }) => deliveryPollInterval_ms(state.data ? [state.data] : [], Date.now()),
  });

/** The deliveries to an endpoint, newest first, polled while any is pending. */
export function useDeliveries(endpoint_id: string, status: DeliveryStatus | undefined) {
  const client = useQueryClient();
  const listKey = useMemo(() => queryKeys.webhooks.list(endpoint_id, status), [endpoint_id, status]);
  const headKey = useMemo(() => queryKeys.webhooks.head(endpoint_id, status), [endpoint_id, status]);
  const list = useLiveList<WebhookDelivery>({
    listKey,
    headKey,
    loadPage: (cursor, signal) =>
      api.call('list_webhook_deliveries', {
        params: { endpoint_id },
        query: { limit: PAGE_SIZE, ...(status ? { status } : {}), ...(cursor ? { cursor } : {}) },
        signal,
      }),
    poll_ms: (rows) => deliveryPollInterval_ms(rows, Date.now()),
  });
  const { rows, newest } = list;
  const older = useQueries({
    queries: rows
      .filter((row) => row.status === 'pending' && newest && !newest.data.some(({ id }) => id === row.id))
      .slice(-MAX_OLDER_POLLED)
      .map(({ id }) => deliveryQuery(id)),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });
  useEffect(() => {
    if (older.length === 0) return;
    client.setQueryData<LiveList<WebhookDelivery>>(listKey, (known) => known && older.reduce(replaceRow, known));
  }, [client, listKey, older]);

  const progress = rows.map(({ id, status: reached, attempts }) => `${id} ${reached} ${attempts.length}`).join();
  const known = useRef(progress);
  useEffect(() => {
    if (known.current === progress) return;
    known.current = progress;
    // An attempt also changes the health of the endpoint.
    void client.invalidateQueries({ queryKey: queryKeys.webhooks.endpoints });
  }, [client, progress]);
  return list;
}

function cacheDelivery(client: QueryClient, delivery: WebhookDelivery): void {
  const { id, endpoint_id } = delivery;
  client.setQueriesData<LiveList<WebhookDelivery>>({ queryKey: queryKeys.webhooks.lists(endpoint_id) }, (list) =>
    list ? replaceRow(list, delivery) : list,
  );
  void client.invalidateQueries({ queryKey: queryKeys.webhooks.delivery(id) });
  void client.invalidateQueries({ queryKey: queryKeys.webhooks.heads(endpoint_id) });
  void client.invalidateQueries({ queryKey: queryKeys.webhooks.endpoints });
}

/** Sends a test event, signed and delivered like any other. */
export function useTestWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (endpoint_id: string) => api.call('test_webhook_endpoint', { params: { endpoint_id } }),
    retry: false,
    onSuccess: (delivery) => cacheDelivery(client, delivery),
  });
}

/** Resends a delivery now, with the same event id, so that receivers recognize the repeat. */
export function useRedeliver() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.call('redeliver_webhook', { params: { delivery_id: id } }),
    onSuccess: (delivery) => cacheDelivery(client, delivery),
  });
}

/** How many deliveries `useRecover` would resend; null where the service cannot count them in advance. */
export const recoverableQuery = (endpoint_id: string, since: string | null) =>
  queryOptions({
    queryKey: queryKeys.webhooks.recoverable(endpoint_id, since),
    queryFn: async ({ signal }) => {
      const body = { since: since ?? '', dry_run: true };
      try {
        const { count } = await api.call('recover_webhook_endpoint', { params: { endpoint_id }, body, signal });
        return count;
      } catch (error) {
        if (error instanceof ApiError && error.status === 422) return null;
        throw error;
      }
    },
    enabled: since !== null,
    staleTime: 0,
  });

/** Resends deliveries that failed since a time (ISO 8601) and those being retried; returns how many. */
export function useRecover() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ endpoint_id, since }: { endpoint_id: string; since: string }) =>
      api.call('recover_webhook_endpoint', { params: { endpoint_id }, body: { since } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.webhooks.all }),
  });
}
