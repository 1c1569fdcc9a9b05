import { mutationOptions, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { BodyInput } from '#contract/api/endpoints.ts';
import type { LedgerHead } from '#contract/money/ledger.ts';
import type { Verification } from '#contract/resources/audit.ts';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import { api } from '../api.ts';
import { apiKey, apiMutation, apiPages, apiQuery, type EndpointFilters, invalidate } from '../api-query.ts';
import { createIdempotencyKeys } from './idempotency-key.ts';
import { BILLING_READS, GENERATION_LISTS } from './stale-endpoints.ts';

const STALE = { staleTime: 5_000 };
const KEPT = { ...STALE, keepPrevious: true };

/** Funds and spending. `from` and `to` bound the groups; the default is the last 30 days. */
export const billingSummaryQuery = (query: EndpointFilters<'get_billing_summary'> = {}) =>
  apiQuery('get_billing_summary', { query }, STALE);

/** Spending per day by task, model or key. */
export const spendingQuery = (query: EndpointFilters<'get_spending'>) => apiQuery('get_spending', { query }, KEPT);

/** Sums of the entries that match; null where the service does not support it. */
export const ledgerSumsQuery = (query: EndpointFilters<'list_ledger'>) => apiQuery('get_ledger_sums', { query }, STALE);

/** Reservations of unfinished work, newest first. */
export const reservationsQuery = apiPages('list_reservations', { query: { limit: 50 } }, STALE);

/** Spending by two dimensions. */
export const pivotQuery = (query: EndpointFilters<'get_pivot'>) => apiQuery('get_pivot', { query }, KEPT);

/** Statement of a month. */
export const statementQuery = (query: EndpointFilters<'get_statement'>) => apiQuery('get_statement', { query }, KEPT);

/** Charges beside the costs of providers. Needs an organization key. */
export const marginQuery = (query: EndpointFilters<'get_margin'>) => apiQuery('get_margin', { query }, KEPT);

export const whatIfQuery = (body: BodyInput<'reprice_spending'>) => apiQuery('reprice_spending', { body }, STALE);

export interface RefundRequest {
  body: BodyInput<'create_refund'>;
  /** One for each time the dialog is opened, so that pressing twice refunds once. */
  idempotency_key: string;
}

export const useRefund = apiMutation((request: RefundRequest) => api.call('create_refund', request), {
  onSettled: (_entry, _error, { body: { generation_id } }, _result, { client }) => {
    // A line that is not among the newest is read again only with its list.
    client.removeQueries({ queryKey: apiKey('list_ledger_lines'), type: 'inactive' });
    const generation = apiKey('get_generation', { params: { generation_id } });
    void invalidate(client, generation, GENERATION_LISTS);
    return invalidate(client, ...BILLING_READS);
  },
});

/** Recomputes the ledger and compares it with an earlier head where one is passed. Needs an organization key. */
export const verifyLedgerMutation = mutationOptions<Verification, Error, LedgerHead | null>({
  mutationFn: (head) =>
    api.call('get_verification', {
      query: head ? { seq: String(head.seq), hash: head.hash } : {},
      // A ledger of millions of entries takes minutes.
      deadlineMs: 600_000,
    }),
});

/**
 * Adds credit, or removes it with a negative amount. Needs an organization key. While mounted, it credits the same body
 * once however often it is sent.
 */
export function useAddCredit() {
  const [keyOf] = useState(createIdempotencyKeys);
  return useMutation<LedgerEntry, Error, BodyInput<'create_credit'>>({
    mutationFn: (body) => api.call('create_credit', { body, idempotency_key: keyOf(body) }),
    onSettled: (_entry, _error, _body, _result, { client }) => invalidate(client, ...BILLING_READS),
  });
}

/** Monthly budgets, the organization's first; null where the service has no budgets. */
export const budgetsQuery = apiQuery('list_budgets', {}, { read: ({ data }) => data, staleTime: 5_000 });

/** Sets or replaces a budget. Needs an organization key, like `useDeleteBudget`. */
export const useSetBudget = apiMutation((body: BodyInput<'set_budget'>) => api.call('set_budget', { body }), {
  stale: ['list_budgets'],
});

export const useDeleteBudget = apiMutation((id: string) => api.call('delete_budget', { params: { budget_id: id } }), {
  stale: ['list_budgets'],
});
