import {
  infiniteQueryOptions,
  keepPreviousData,
  mutationOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import type { LedgerHead } from '#contract/ledger.ts';
import type { Verification } from '#contract/resources/audit.ts';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import { api } from '../api.ts';
import { isMissingFeature } from '../api-errors.ts';
import type { LedgerFilters } from './billing.ts';
import { type EndpointFilters, queryKeys } from './query-keys.ts';

const STALE_MS = 5_000;

/** Spending per day by task, model or key. An addition (see `isMissingFeature`). */
export const spendingQuery = (query: EndpointFilters<'get_spending'>) =>
  queryOptions({
    queryKey: queryKeys.billing.spending(query),
    queryFn: ({ signal }) => api.call('get_spending', { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });

/** Sums of the entries that match; null where the service does not support it. */
export const ledgerSumsQuery = (filters: LedgerFilters) =>
  queryOptions({
    queryKey: queryKeys.billing.sums(filters),
    queryFn: async ({ signal }) => {
      try {
        return await api.call('get_ledger_sums', { query: filters, signal });
      } catch (error) {
        if (isMissingFeature(error)) return null;
        throw error;
      }
    },
    staleTime: STALE_MS,
  });

/** Reservations of unfinished work, newest first. An addition. */
export const reservationsQuery = infiniteQueryOptions({
  queryKey: queryKeys.billing.reservations,
  queryFn: ({ pageParam, signal }) =>
    api.call('list_reservations', { query: { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) }, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next_cursor,
  staleTime: STALE_MS,
});

export interface RefundRequest {
  body: BodyInput<'create_refund'>;
  /** One for each time the dialog is opened, so that pressing twice refunds once. */
  idempotency_key: string;
}

export function useRefund() {
  const client = useQueryClient();
  return useMutation<LedgerEntry, Error, RefundRequest>({
    mutationFn: (request) => api.call('create_refund', request),
    onSettled: (_entry, _error, { body }) => {
      void client.invalidateQueries({ queryKey: queryKeys.generations.detail(body.generation_id) });
      void client.invalidateQueries({ queryKey: queryKeys.generations.heads });
      // A line that is not among the newest is read again only with its list.
      client.removeQueries({ queryKey: queryKeys.ledgerLines.all, type: 'inactive' });
      return client.invalidateQueries({ queryKey: queryKeys.billing.all });
    },
  });
}

/** Recomputes the ledger and compares it with an earlier head where one is passed. Needs an organization key. */
export const verifyLedgerMutation = mutationOptions<Verification, Error, LedgerHead | null>({
  mutationFn: (head) =>
    api.call('get_verification', {
      query: head ? { seq: String(head.seq), hash: head.hash } : {},
      // A ledger of millions of entries takes minutes.
      deadline_ms: 600_000,
    }),
});

/** Statement of a month. */
export const statementQuery = (query: EndpointFilters<'get_statement'>) =>
  queryOptions({
    queryKey: queryKeys.billing.statement(query),
    queryFn: ({ signal }) => api.call('get_statement', { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });

/** Charges beside the costs of providers. An addition. Needs an organization key. */
export const marginQuery = (query: EndpointFilters<'get_margin'>) =>
  queryOptions({
    queryKey: queryKeys.billing.margin(query),
    queryFn: ({ signal }) => api.call('get_margin', { query, signal }),
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });

export const whatIfQuery = (body: BodyInput<'reprice_spending'>) =>
  queryOptions({
    queryKey: queryKeys.billing.whatIf(body),
    queryFn: ({ signal }) => api.call('reprice_spending', { body, signal }),
    staleTime: STALE_MS,
  });
