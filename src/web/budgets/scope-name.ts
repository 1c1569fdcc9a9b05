import { parseBudgetScope } from '#contract/money/budget-scope.ts';
import type { Budget } from '#contract/resources/budget.ts';
import { catalogName } from '#web/api/known-models.ts';

type LimitedScope = Pick<Budget, 'scope' | 'scope_name'> & Partial<Pick<Budget, 'is_scope_removed'>>;

/** Formats what a budget limits: "Everybody", "Kim", "Kim (removed)", "Omni Video", "client: Acme". */
export function formatBudgetScope({ scope, scope_name, is_scope_removed = false }: LimitedScope): string {
  const parsed = parseBudgetScope(scope);
  switch (parsed?.type) {
    case 'organization':
      return 'Everybody';
    case 'model':
      return catalogName(parsed.id);
    case 'tag':
      return `${parsed.name}: ${parsed.value}`;
    default:
      if (!is_scope_removed) return scope_name ?? scope;
      return `${scope_name ?? scope} (${parsed?.type === 'key' ? 'revoked' : 'removed'})`;
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
