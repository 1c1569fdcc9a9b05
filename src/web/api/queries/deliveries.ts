import { type QueryClient, queryOptions, useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { DeliveryStatus, WebhookDelivery } from '#contract/resources/webhook.ts';
import { api } from '../api.ts';
import { ApiError } from '../api-errors.ts';
import { type LiveList, replaceRow } from './live-list.ts';
import { queryKeys } from './query-keys.ts';
import { useLiveList } from './use-live-list.ts';

const PAGE_SIZE = 50;
/** While an attempt is due, and at most between two readings while the next one is far off: somebody may redeliver elsewhere. */
const POLL_MS = { due: 1_500, most: 60_000 };
/** Deliveries under way that are older than the newest page are read one by one: so many at once. */
const MAX_OLDER_POLLED = 8;

/** How long until something can have changed; false: nothing is under way. */
export function deliveryPollInterval_ms(deliveries: readonly WebhookDelivery[], now_ms: number): number | false {
  const waits = deliveries
    .filter(({ status }) => status === 'pending')
    .map(({ next_attempt_at }) => (next_attempt_at === null ? 0 : Date.parse(next_attempt_at) - now_ms));
  if (waits.length === 0) return false;
  return Math.min(Math.max(Math.min(...waits), POLL_MS.due), POLL_MS.most);
}

/** One delivery with what is sent, polled until it has ended. Needs an organization key. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.webhooks.delivery(id),
    queryFn: ({ signal }) => api.call('get_webhook_delivery', { params: { delivery_id: id }, signal }),
    refetchInterval: ({ state }) => deliveryPollInterval_ms(state.data ? [state.data] : [], Date.now()),
  });

/** The deliveries to an endpoint, newest first, followed while any is under way. */
export function useDeliveries(endpoint_id: string, status: DeliveryStatus | undefined) {
  const client = useQueryClient();
  const listKey = useMemo(() => queryKeys.webhooks.list(endpoint_id, status), [endpoint_id, status]);
  const headKey = useMemo(() => queryKeys.webhooks.head(endpoint_id, status), [endpoint_id, status]);
  const list = useLiveList<WebhookDelivery>({
    listKey,
    headKey,
    read: (cursor, signal) =>
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
    // An attempt was made: the endpoint's health moved with it.
    void client.invalidateQueries({ queryKey: queryKeys.webhooks.endpoints });
  }, [client, progress]);
  return list;
}

/** Puts a newer reading of a delivery where it is shown, and lets the lists and the endpoint's health be read anew. */
function cacheDelivery(client: QueryClient, delivery: WebhookDelivery): void {
  const { id, endpoint_id } = delivery;
  client.setQueriesData<LiveList<WebhookDelivery>>({ queryKey: queryKeys.webhooks.lists(endpoint_id) }, (list) =>
    list ? replaceRow(list, delivery) : list,
  );
  void client.invalidateQueries({ queryKey: queryKeys.webhooks.delivery(id) });
  void client.invalidateQueries({ queryKey: queryKeys.webhooks.heads(endpoint_id) });
  void client.invalidateQueries({ queryKey: queryKeys.webhooks.endpoints });
}

/** Sends a made-up event, signed and delivered as any other. */
export function useTestWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (endpoint_id: string) => api.call('test_webhook_endpoint', { params: { endpoint_id } }),
    retry: false,
    onSuccess: (delivery) => cacheDelivery(client, delivery),
  });
}

/** Sends a delivery again now, with the same event id, so that receivers know it for a repeat. */
export function useRedeliver() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.call('redeliver_webhook', { params: { delivery_id: id } }),
    onSuccess: (delivery) => cacheDelivery(client, delivery),
  });
}

/** How many deliveries `useRecover` would resend; null where the service cannot count them beforehand. */
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

/** Resends deliveries that failed since a time (ISO 8601), and those still being retried; returns how many. */
export function useRecover() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ endpoint_id, since }: { endpoint_id: string; since: string }) =>
      api.call('recover_webhook_endpoint', { params: { endpoint_id }, body: { since } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.webhooks.all }),
  });
}
