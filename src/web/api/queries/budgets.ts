import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyInput } from '#contract/endpoints.ts';
import type { Budget } from '#contract/resources/budget.ts';
import { api } from '../api.ts';
import { isMissingFeature } from '../api-errors.ts';
import { queryKeys } from './query-keys.ts';

/** Monthly budgets, the organization's first; null where the service has no budgets. */
export const budgetsQuery = queryOptions({
  queryKey: queryKeys.billing.budgets,
  queryFn: async ({ signal }): Promise<Budget[] | null> => {
    try {
      return (await api.call('list_budgets', { signal })).data;
    } catch (error) {
      if (isMissingFeature(error)) return null;
      throw error;
    }
  },
  staleTime: 5_000,
});

/** Sets or replaces a budget. Needs an organization key, like `useDeleteBudget`. */
export function useSetBudget() {
  const client = useQueryClient();
  return useMutation<Budget, Error, BodyInput<'set_budget'>>({
    mutationFn: (body) => api.call('set_budget', { body }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.billing.budgets }),
  });
}

export function useDeleteBudget() {
  const client = useQueryClient();
  return useMutation<unknown, Error, string>({
    mutationFn: (budget_id) => api.call('delete_budget', { params: { budget_id } }),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.billing.budgets }),
  });
}
