import { parseBudgetScope } from '#contract/budget-scope.ts';
import type { Budget } from '#contract/resources/budget.ts';
import { catalogName } from '#web/api/known-models.ts';

/** Formats what a budget limits: "Everybody", "Kim", "Omni Video", "client: Acme". */
export function formatBudgetScope({ scope, scope_name }: Pick<Budget, 'scope' | 'scope_name'>): string {
  const parsed = parseBudgetScope(scope);
  switch (parsed?.type) {
    case 'organization':
      return 'Everybody';
    case 'model':
      return catalogName(parsed.id);
    case 'tag':
      return `${parsed.name}: ${parsed.value}`;
    default:
      return scope_name ?? scope;
  }
}

/** The current interval, at the end of a sentence: "today". */
export const THIS_INTERVAL = { day: 'today', week: 'this week', month: 'this month' } satisfies Record<
  Budget['interval'],
  string
>;

export const INTERVAL_ADJECTIVES = { day: 'Daily', week: 'Weekly', month: 'Monthly' } satisfies Record<
  Budget['interval'],
  string
>;
