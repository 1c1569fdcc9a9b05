import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import type { List } from '#contract/primitives.ts';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import { api } from '../api.ts';
import { isMissingFeature } from '../api-errors.ts';
import { type EndpointFilters, queryKeys } from './query-keys.ts';

const POLL_MS = 5_000;
const REVIEW_POLL_MS = 15_000;

type RequestFilters = EndpointFilters<'list_requests'>;

/** A page of requests, newest first; empty where the service has none. */
async function loadRequests(query: object, signal: AbortSignal): Promise<List<ApprovalRequest>> {
  try {
    return await api.call('list_requests', { query, signal });
  } catch (error) {
    if (isMissingFeature(error)) return { object: 'list', data: [], has_more: false, next_cursor: null };
    throw error;
  }
}

/** Requests that match, newest first, page by page. */
export const requestsQuery = (filters: RequestFilters, limit: number) =>
  infiniteQueryOptions({
    queryKey: queryKeys.requests.list({ ...filters, limit }),
    queryFn: ({ pageParam, signal }) =>
      loadRequests({ ...filters, limit, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 5_000,
    refetchInterval: REVIEW_POLL_MS,
  });

const hasPending = (requests: readonly ApprovalRequest[] | undefined) =>
  requests?.some(({ status }) => status === 'pending') ?? false;

/** One's own newest requests. */
export const recentRequestsQuery = queryOptions({
  queryKey: queryKeys.requests.recent,
  queryFn: async ({ signal }) => (await loadRequests({ own: 'true', limit: 20 }, signal)).data,
  staleTime: 5_000,
  refetchInterval: ({ state }) => (hasPending(state.data) ? POLL_MS : false),
});

/** A request with the whole input of its order. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.requests.detail(id),
    queryFn: ({ signal }) => api.call('get_request', { params: { request_id: id }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? POLL_MS : false),
  });

/** What an order that waits would cost now. */
export const requestEstimateQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.requests.estimate(id),
    queryFn: ({ signal }) => api.call('estimate_request', { params: { request_id: id }, signal }),
    staleTime: 0,
  });

/** Invalidates what a request changes: lists of requests, budgets, and the work that an approval starts. */
const invalidateRequests = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: queryKeys.requests.all }),
    client.invalidateQueries({ queryKey: queryKeys.billing.all }),
  ]);

/** Asks for more of a budget, or for an order above the limit. */
export function useAsk() {
  const client = useQueryClient();
  return useMutation<ApprovalRequest, Error, { body: BodyInput<'create_request'>; idempotency_key: string }>({
    mutationFn: (request) => api.call('create_request', request),
    onSettled: () => invalidateRequests(client),
  });
}

/** Withdraws one's own request. */
export function useWithdrawRequest() {
  const client = useQueryClient();
  return useMutation<ApprovalRequest, Error, string>({
    mutationFn: (id) => api.call('cancel_request', { params: { request_id: id } }),
    onSettled: () => invalidateRequests(client),
  });
}

interface Decision {
  id: string;
  body: BodyInput<'decide_request'>;
  idempotency_key: string;
}

export function useDecideRequest() {
  const client = useQueryClient();
  return useMutation<ApprovalRequest, Error, Decision>({
    mutationFn: ({ id, ...request }) => api.call('decide_request', { params: { request_id: id }, ...request }),
    onSettled: () => invalidateRequests(client),
  });
}
