import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { BodyInput } from '#contract/api/endpoints.ts';
import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import type { DeliveryStatus } from '#contract/statuses.ts';
import { api } from '../api.ts';
import { ApiError } from '../api-errors.ts';
import { apiKey, apiMutation, apiQuery, invalidate, SEND_ONCE } from '../api-query.ts';
import { type LiveList, replaceRow } from '../live-list.ts';
import { useLiveList } from '../use-live-list.ts';
import { useInvalidateOnChange, usePollActiveRows } from '../use-poll-active-rows.ts';

const PAGE_SIZE = 50;
/**
 * Bounds of the time until the next poll: `due` while an attempt is due, `most` while the next one is far off, because
 * it may be resent elsewhere.
 */
const POLL_MS = { endpoints: 5_000, due: 1_500, most: 60_000 };
const ENDPOINTS = ['list_webhook_endpoints'] as const;

/** Every webhook endpoint of the organization, polled while a delivery is pending. Needs an organization key. */
export const webhookEndpointsQuery = apiQuery(
  'list_webhook_endpoints',
  {},
  {
    read: ({ data }) => data,
    poll: (endpoints) =>
      endpoints?.some(({ last_delivery_status }) => last_delivery_status === 'pending') ? POLL_MS.endpoints : false,
  },
);

/** Creates an endpoint. The response contains the secret. */
export const useCreateWebhook = apiMutation(
  (body: BodyInput<'create_webhook_endpoint'>) => api.call('create_webhook_endpoint', { body }),
  { ...SEND_ONCE, stale: ENDPOINTS },
);

/** Rotates the secret. The response contains it; a second rotation would invalidate the secret of the first. */
export const useRotateSecret = apiMutation(
  (id: string) => api.call('rotate_webhook_secret', { params: { endpoint_id: id } }),
  { ...SEND_ONCE, stale: ENDPOINTS },
);

export const useDeleteWebhook = apiMutation(
  (id: string) => api.call('delete_webhook_endpoint', { params: { endpoint_id: id } }),
  {
    onSuccess: (_data, deletedId, _result, { client }) =>
      client.setQueryData(webhookEndpointsQuery.queryKey, (list) => list?.filter(({ id }) => id !== deletedId)),
    stale: ENDPOINTS,
  },
);

/** Enables an endpoint that was disabled for failing. */
export const useEnableWebhook = apiMutation(
  (id: string) => api.call('enable_webhook_endpoint', { params: { endpoint_id: id } }),
  {
    onSuccess: (enabled, _id, _result, { client }) =>
      client.setQueryData(webhookEndpointsQuery.queryKey, (list) =>
        list?.map((each) => (each.id === enabled.id ? enabled : each)),
      ),
    stale: ENDPOINTS,
  },
);

/** Returns the time until a delivery can change; false where all are complete. */
export function deliveryPollInterval(deliveries: readonly WebhookDelivery[], nowMs: number): number | false {
  const waits = deliveries
    .filter(({ status }) => status === 'pending')
    .map(({ next_attempt_at }) => (next_attempt_at === null ? 0 : Date.parse(next_attempt_at) - nowMs));
  if (waits.length === 0) return false;
  return Math.min(Math.max(Math.min(...waits), POLL_MS.due), POLL_MS.most);
}

const pollDeliveries = (deliveries: readonly WebhookDelivery[]) => deliveryPollInterval(deliveries, Date.now());
const pollDelivery = (delivery: WebhookDelivery | undefined) => pollDeliveries(delivery ? [delivery] : []);

/** One delivery with its payload, polled until it is complete. Needs an organization key. */
export const deliveryQuery = (id: string) =>
  apiQuery('get_webhook_delivery', { params: { delivery_id: id } }, { poll: (delivery) => pollDelivery(delivery) });

const isPending = ({ status }: WebhookDelivery) => status === 'pending';

/** The deliveries to an endpoint, newest first, polled while any is pending. */
export function useDeliveries(endpointId: string, status: DeliveryStatus | undefined) {
  const request = { params: { endpoint_id: endpointId }, query: { limit: PAGE_SIZE, ...(status ? { status } : {}) } };
  const list = useLiveList({
    name: 'list_webhook_deliveries',
    request,
    read: (page) => page,
    poll: pollDeliveries,
  });
  usePollActiveRows<WebhookDelivery>({
    listKey: apiKey('list_webhook_deliveries', request, 'live'),
    list,
    isRowActive: isPending,
    queryOf: (id) => ({
      queryKey: deliveryQuery(id).queryKey,
      load: (signal) => api.call('get_webhook_delivery', { params: { delivery_id: id }, signal }),
    }),
    pollMs: pollDelivery,
  });
  // An attempt also changes the health of the endpoint.
  const progress = list.rows.map((row) => `${row.id} ${row.status} ${row.attempts.length}`).join();
  useInvalidateOnChange(progress, ENDPOINTS);
  return list;
}

function cacheDelivery(client: QueryClient, delivery: WebhookDelivery): void {
  const lists = apiKey('list_webhook_deliveries', { params: { endpoint_id: delivery.endpoint_id } }, 'live');
  client.setQueriesData<LiveList<WebhookDelivery>>({ queryKey: lists }, (list) => list && replaceRow(list, delivery));
  void invalidate(client, deliveryQuery(delivery.id).queryKey, lists, ...ENDPOINTS);
}

/** Sends a test event, signed and delivered like any other. */
export const useTestWebhook = apiMutation(
  (id: string) => api.call('test_webhook_endpoint', { params: { endpoint_id: id } }),
  { retry: false, onSuccess: (delivery, _id, _result, { client }) => cacheDelivery(client, delivery) },
);

/** Resends a delivery now, with the same event id, so that receivers recognize the repeat. */
export const useRedeliver = apiMutation(
  (id: string) => api.call('redeliver_webhook', { params: { delivery_id: id } }),
  { onSuccess: (delivery, _id, _result, { client }) => cacheDelivery(client, delivery) },
);

/** How many deliveries `useRecover` would resend; null where the service cannot count them in advance. */
export const recoverableQuery = (endpointId: string, since: string | null) =>
  queryOptions({
    queryKey: ['recover_webhook_endpoint', { params: { endpoint_id: endpointId }, since }],
    queryFn: async ({ signal }) => {
      const params = { endpoint_id: endpointId };
      const body = { since: since ?? '', dry_run: true };
      try {
        return (await api.call('recover_webhook_endpoint', { params, body, signal })).count;
      } catch (error) {
        if (error instanceof ApiError && error.status === 422) return null;
        throw error;
      }
    },
    enabled: since !== null,
    staleTime: 0,
  });

/** Resends deliveries that failed since a time (ISO 8601) and those being retried; returns how many. */
export const useRecover = apiMutation(
  ({ endpointId, since }: { endpointId: string; since: string }) =>
    api.call('recover_webhook_endpoint', { params: { endpoint_id: endpointId }, body: { since } }),
  {
    onSuccess: (_data, _request, _result, { client }) =>
      invalidate(client, ...ENDPOINTS, 'list_webhook_deliveries', 'get_webhook_delivery', 'recover_webhook_endpoint'),
  },
);
