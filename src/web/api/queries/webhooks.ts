import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import type { WebhookEndpoint } from '#contract/resources/webhook.ts';
import { api } from '../api.ts';
import { queryKeys } from './query-keys.ts';

const POLL_MS = 5_000;

/** Every webhook endpoint of the organization, polled while a delivery is pending. Needs an organization key. */
export const webhookEndpointsQuery = queryOptions({
  queryKey: queryKeys.webhooks.endpoints,
  queryFn: async ({ signal }) => (await api.call('list_webhook_endpoints', { signal })).data,
  refetchInterval: ({ state }) =>
    state.data?.some(({ last_delivery_status }) => last_delivery_status === 'pending') ? POLL_MS : false,
});

/** Creates an endpoint. The response contains the secret, so it is not cached. */
export function useCreateWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<'create_webhook_endpoint'>) => api.call('create_webhook_endpoint', { body }),
    // Not retried: the lost response may belong to an endpoint whose secret nobody has seen.
    retry: false,
    // The dialog stays open until the response arrives: offline that is an error at once, not a pause.
    networkMode: 'always',
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.webhooks.endpoints }),
  });
}

/** Rotates the secret. The response contains it, so it is not cached. */
export function useRotateSecret() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (endpoint_id: string) => api.call('rotate_webhook_secret', { params: { endpoint_id } }),
    // Not retried: a second rotation would invalidate the secret of the first.
    retry: false,
    // The dialog stays open until the response arrives: offline that is an error at once, not a pause.
    networkMode: 'always',
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.webhooks.endpoints }),
  });
}

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

/** Enables an endpoint that was disabled for failing. */
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
