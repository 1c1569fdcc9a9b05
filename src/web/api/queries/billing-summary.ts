import { queryOptions } from '@tanstack/react-query';
import { api } from '../api.ts';
import { type EndpointFilters, queryKeys } from './query-keys.ts';

/** Funds and spending. `from` and `to` bound the groups; the default is the last 30 days. */
export const billingSummaryQuery = (range: EndpointFilters<'get_billing_summary'> = {}) =>
  queryOptions({
    queryKey: queryKeys.billing.summary(range),
    queryFn: ({ signal }) => api.call('get_billing_summary', { query: range, signal }),
    staleTime: 5_000,
  });
