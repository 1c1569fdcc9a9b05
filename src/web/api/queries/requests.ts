import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import { api } from '../api.ts';
import { isMissingFeature } from '../api-errors.ts';
import { queryKeys } from './query-keys.ts';

/** Requests that wait for a decision; empty where the service has none. */
export const pendingRequestsQuery = queryOptions({
  queryKey: queryKeys.requests.pending,
  queryFn: async ({ signal }): Promise<ApprovalRequest[]> => {
    try {
      return (await api.call('list_requests', { query: { status: 'pending' }, signal })).data;
    } catch (error) {
      if (isMissingFeature(error)) return [];
      throw error;
    }
  },
  staleTime: 5_000,
});

/** One's own requests that wait for a decision. */
export const ownRequestsQuery = queryOptions({
  queryKey: queryKeys.requests.own,
  queryFn: async ({ signal }): Promise<ApprovalRequest[]> => {
    try {
      return (await api.call('list_requests', { query: { status: 'pending', own: 'true' }, signal })).data;
    } catch (error) {
      if (isMissingFeature(error)) return [];
      throw error;
    }
  },
  staleTime: 5_000,
});

/** Asks for more of a budget, or for an order above the limit. */
export function useAsk() {
  const client = useQueryClient();
  return useMutation<ApprovalRequest, Error, { body: BodyInput<'create_request'>; idempotency_key: string }>({
    mutationFn: (request) => api.call('create_request', request),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.requests.all }),
  });
}

export function useCancelRequest() {
  const client = useQueryClient();
  return useMutation<ApprovalRequest, Error, string>({
    mutationFn: (id) => api.call('cancel_request', { params: { request_id: id } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.requests.all }),
  });
}

export function useDecideRequest() {
  const client = useQueryClient();
  return useMutation<ApprovalRequest, Error, { id: string; body: BodyInput<'decide_request'> }>({
    mutationFn: ({ id, body }) => api.call('decide_request', { params: { request_id: id }, body }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: queryKeys.requests.all }),
        client.invalidateQueries({ queryKey: queryKeys.billing.all }),
      ]),
  });
}
