import { deleteBudget, listBudgets, setBudget } from '#server/billing/budgets.ts';
import type { Deps } from '#server/deps.ts';
import type { Handlers } from '../handler.ts';

export const budgetRoutes = (deps: Pick<Deps, 'db' | 'clock'>) =>
  ({
    list_budgets: ({ caller }) => listBudgets(deps, caller.organization_id, caller),
    set_budget: ({ caller, body }) => setBudget(deps, caller, body),
    async delete_budget({ caller, params }) {
      await deleteBudget(deps, caller, params.budget_id);
      return undefined;
    },
  }) satisfies Handlers;
