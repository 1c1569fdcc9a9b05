import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

const POLL_MS = 5_000;

/** Every webhook endpoint of the organization, read again while a delivery is on its way. Needs an organization key. */
export const webhookEndpointsQuery = queryOptions({
  queryKey: queryKeys.webhooks.endpoints,
  queryFn: async ({ signal }) => (await api.call('list_webhook_endpoints', { signal })).data,
  refetchInterval: ({ state }) =>
    state.data?.some(({ last_delivery_status }) => last_delivery_status === 'pending') ? POLL_MS : false,
});

/** Registers an endpoint. Its answer holds the secret and is not kept in the cache. */
export function useCreateWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<'create_webhook_endpoint'>) => api.call('create_webhook_endpoint', { body }),
    // Not sent again by itself: a lost answer may have made an endpoint whose secret nobody saw.
    retry: false,
    // The dialog stays open until the response is there: offline that is an error at once, not a pause.
    networkMode: 'always',
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.webhooks.endpoints }),
  });
}

/** Makes a new secret. Its answer holds it and is not kept in the cache. */
export function useRotateSecret() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (endpoint_id: string) => api.call('rotate_webhook_secret', { params: { endpoint_id } }),
    // Not sent again by itself: a second rotation would end the secret of the first at once.
    retry: false,
    // The dialog stays open until the response is there: offline that is an error at once, not a pause.
    networkMode: 'always',
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.webhooks.endpoints }),
  });
}

/** Deletes an endpoint; what waits to be sent to it goes with it. */
export function useDeleteWebhook() {
  const client = useQueryClient();
  const queryKey = queryKeys.webhooks.endpoints;
  return useMutation({
    mutationFn: (endpoint_id: string) => api.call('delete_webhook_endpoint', { params: { endpoint_id } }),
    onSuccess: (_answer, endpoint_id) =>
      client.setQueryData<WebhookEndpoint[]>(queryKey, (list) => list?.filter(({ id }) => id !== endpoint_id)),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

/** Switches an endpoint on again that was switched off for failing. */
export function useEnableWebhook() {
  const client = useQueryClient();
  const queryKey = queryKeys.webhooks.endpoints;
  return useMutation({
    mutationFn: (endpoint_id: string) => api.call('enable_webhook_endpoint', { params: { endpoint_id } }),
    onSuccess: (enabled) =>
      client.setQueryData<WebhookEndpoint[]>(queryKey, (list) =>
        list?.map((each) => (each.id === enabled.id ? enabled : each)),
      ),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}
