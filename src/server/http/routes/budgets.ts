import { deleteBudget, listBudgets, setBudget } from '#server/accounts/billing/budgets.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Handlers } from '#server/http/handler.ts';

export const budgetRoutes = (deps: Deps) =>
  ({
    list_budgets: ({ caller }) => listBudgets(deps, caller.organization_id, caller),
    set_budget: ({ caller, body }) => setBudget(deps, caller, body),
    async delete_budget({ caller, params }) {
      await deleteBudget(deps, caller, params.budget_id);
      return undefined;
    },
  }) satisfies Handlers;
