import type { BodyInput } from '#contract/endpoints.ts';
import { api } from '../api.ts';
import { apiMutation, apiQuery } from '../api-query.ts';

/** Monthly budgets, the organization's first; null where the service has no budgets. */
export const budgetsQuery = apiQuery('list_budgets', {}, { read: ({ data }) => data, missing: null, staleTime: 5_000 });

/** Sets or replaces a budget. Needs an organization key, like `useDeleteBudget`. */
export const useSetBudget = apiMutation((body: BodyInput<'set_budget'>) => api.call('set_budget', { body }), {
  stale: ['list_budgets'],
});

export const useDeleteBudget = apiMutation((id: string) => api.call('delete_budget', { params: { budget_id: id } }), {
  stale: ['list_budgets'],
});
