import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { BodyInput } from '#contract/endpoints.ts';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import { api } from '#web/api.ts';
import { again, againDelay } from '#web/queries/again.ts';
import { type Filters, queryKeys } from '#web/queries/query-keys.ts';
import { useLiveList } from '#web/queries/use-live-list.ts';

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

/**
 * The ledger, newest entry first.
 * @param filters the same object as long as they are the same
 */
export function useLedger(filters: LedgerFilters) {
  const listKey = useMemo(() => queryKeys.ledger(filters), [filters]);
  const headKey = useMemo(() => queryKeys.billing.ledgerHead(filters), [filters]);
  return useLiveList<LedgerEntry>({
    listKey,
    headKey,
    read: (cursor, signal) =>
      api.call('list_ledger', {
        query: { ...filters, limit: LEDGER_PAGE_SIZE, ...(cursor ? { cursor } : {}) },
        signal,
      }),
    poll_ms: () => false,
  });
}

/** Adds money, or with a negative amount takes some back. Needs an organization key. */
export function useAddCredit() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyInput<'create_credit'>) => api.call('create_credit', { body }),
    // Not sent again by itself: a lost answer may have moved money.
    retry: false,
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.billing.all }),
  });
}
