import type { QueryOf } from '#contract/api/endpoints.ts';
import type { SettlementRequest } from '#contract/resources/closing.ts';
import { api } from '../api.ts';
import { apiMutation, apiPages, apiQuery, type StaleTarget } from '../api-query.ts';

/** Everything that compares costs with bills. */
export const CLOSING_READS = [
  'get_close',
  'list_closing_findings',
  'get_closing_finding',
  'list_provider_bills',
  'list_bill_readings',
] as const satisfies readonly StaleTarget[];
/** What corrections of costs change. */
const COST_READS = [
  'get_upstream_job',
  'get_margin',
  'get_pivot',
  'get_statement',
] as const satisfies readonly StaleTarget[];

/** Our costs of a month beside the bills of providers. */
export const closeQuery = (month: string) =>
  apiQuery('get_close', { query: { month } }, { staleTime: 5_000, keepPrevious: true });

export const findingsQuery = (query: Omit<QueryOf<'list_closing_findings'>, 'limit' | 'cursor'>) =>
  apiPages('list_closing_findings', { query: { ...query, limit: 100 } }, { keepPrevious: true });

/** A finding with all of its settlements. */
export const findingQuery = (finding_id: string) => apiQuery('get_closing_finding', { params: { finding_id } });

export const useSettleFindings = apiMutation((body: SettlementRequest) => api.call('settle_findings', { body }), {
  stale: [...CLOSING_READS, ...COST_READS],
});

export const useCloseMonth = apiMutation((month: string) => api.call('close_month', { params: { month } }), {
  stale: [...CLOSING_READS, 'get_statement'],
});

export const useReopenMonth = apiMutation(
  ({ month, reason }: { month: string; reason: string }) =>
    api.call('reopen_month', { params: { month }, body: { reason } }),
  { stale: [...CLOSING_READS, 'get_statement'] },
);
