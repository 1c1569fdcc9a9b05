import type { BodyInput } from '#contract/api/endpoints.ts';
import type { ApprovalRequest } from '#contract/resources/request.ts';
import { api } from '../api.ts';
import { apiMutation, apiPages, apiQuery, type EndpointFilters } from '../api-query.ts';
import { BILLING_READS } from './stale-endpoints.ts';

const POLL_MS = 5_000;
const REVIEW_POLL_MS = 15_000;

type RequestFilters = EndpointFilters<'list_requests'>;

/** Requests that match, newest first, page by page. */
export const requestsQuery = (filters: RequestFilters, limit: number) =>
  apiPages('list_requests', { query: { ...filters, limit } }, { staleTime: 5_000, poll: REVIEW_POLL_MS });

const hasPending = (requests: readonly ApprovalRequest[] | undefined) =>
  requests?.some(({ status }) => status === 'pending') ?? false;

/** One's own newest requests. */
export const recentRequestsQuery = apiQuery(
  'list_requests',
  { query: { own: 'true', limit: 20 } },
  {
    read: ({ data }) => data,
    staleTime: 5_000,
    poll: (requests) => (hasPending(requests) ? POLL_MS : false),
  },
);

/** A request with the whole input of its order. */
export const requestQuery = (id: string) =>
  apiQuery(
    'get_request',
    { params: { request_id: id } },
    { poll: (request) => (request?.status === 'pending' ? POLL_MS : false) },
  );

/** What an order that waits would cost now. */
export const requestEstimateQuery = (id: string) =>
  apiQuery('estimate_request', { params: { request_id: id } }, { staleTime: 0 });

/** What a request changes: lists of requests, budgets, and the work that an approval starts. */
const stale = ['list_requests', 'get_request', 'estimate_request', ...BILLING_READS] as const;

/** Asks for more of a budget, or for an order above the limit. */
export const useAsk = apiMutation(
  (request: { body: BodyInput<'create_request'>; idempotency_key: string }) => api.call('create_request', request),
  { stale },
);

/** Withdraws one's own request. */
export const useWithdrawRequest = apiMutation(
  (id: string) => api.call('cancel_request', { params: { request_id: id } }),
  { stale },
);

interface Decision {
  id: string;
  body: BodyInput<'decide_request'>;
  idempotency_key: string;
}

export const useDecideRequest = apiMutation(
  ({ id, ...request }: Decision) => api.call('decide_request', { params: { request_id: id }, ...request }),
  { stale },
);
