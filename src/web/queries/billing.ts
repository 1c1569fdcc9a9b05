import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from '#web/api.ts';
import { again, againDelay } from '#web/queries/again.ts';
import { type Filters, queryKeys } from '#web/queries/query-keys.ts';

const LEDGER_PAGE_SIZE = 100;

export type LedgerFilters = Filters<'list_ledger'>;

/** Funds and spending; `from` and `to` bound the groups, last 30 days by default. */
export const billingSummaryQuery = (range: Filters<'get_billing_summary'> = {}) =>
  queryOptions({
    queryKey: queryKeys.billing.summary(range),
    queryFn: ({ signal }) => api.call('get_billing_summary', { query: range, signal }),
    staleTime: 5_000,
    retry: again,
    retryDelay: againDelay,
  });

/** The ledger, newest entry first, page by page. */
export const ledgerQuery = (filters: LedgerFilters = {}) =>
  infiniteQueryOptions({
    queryKey: queryKeys.billing.ledger(filters),
    queryFn: ({ pageParam, signal }) =>
      api.call('list_ledger', {
        query: { ...filters, limit: LEDGER_PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    structuralSharing: false,
    retry: again,
    retryDelay: againDelay,
  });
