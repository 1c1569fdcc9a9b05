import { isSharedScope, endOfInterval, startOfInterval } from '#contract/money/budget-scope.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { Budget } from '#contract/resources/budget.ts';
import { ORGANIZATION_BUDGET, type budgets } from '#server/platform/db/schema/billing-schema.ts';

export type BudgetRow = typeof budgets.$inferSelect;

export interface BudgetNames {
  scope_name: string | null;
  is_scope_removed: boolean;
  editor_name: string | null;
}

/** Amounts of a budget in the interval that contains `now`: nothing is spent yet if the row is of an earlier one. */
export function currentUsage(row: BudgetRow, now: Date) {
  const current = startOfInterval(row.interval, now);
  const isOver = row.interval_start < current;
  const extra = isOver ? 0n : row.extra_micro_usd;
  const spent = isOver ? 0n : row.spent_micro_usd;
  const used = spent + row.reserved_micro_usd;
  const limit = row.limit_micro_usd + extra;
  return {
    interval_start: isOver ? current : row.interval_start,
    extra,
    spent,
    used,
    /** Including what was granted in addition. */
    limit,
    left: limit > used ? limit - used : 0n,
  };
}

/** @param showsOthers whether to show what everybody spent, in a budget that several people or programs share */
export function presentBudget(row: BudgetRow, names: BudgetNames, now: Date, showsOthers = true): Budget {
  const { interval_start, extra, spent, used, limit, left } = currentUsage(row, now);
  const { id, scope, interval, warn_at_percent, updated_by } = row;
  const keyId = scope.startsWith('key:') ? scope.slice('key:'.length) : null;
  const isNear = used * 100n >= limit * BigInt(warn_at_percent);
  const isVisible = showsOthers || !isSharedScope(scope);
  return {
    id,
    object: 'budget',
    key: keyId === null ? null : { id: keyId, name: names.scope_name ?? '' },
    scope,
    scope_name: names.scope_name,
    is_scope_removed: names.is_scope_removed,
    interval,
    limit_usd: formatUsd(row.limit_micro_usd),
    extra_usd: formatUsd(extra),
    warn_at_percent,
    contact: row.contact,
    month: interval_start.slice(0, 7),
    interval_start,
    resets_at: new Date(`${endOfInterval(interval, interval_start)}T00:00:00Z`).toISOString(),
    spent_usd: isVisible ? formatUsd(spent) : null,
    reserved_usd: isVisible ? formatUsd(row.reserved_micro_usd) : null,
    left_usd: formatUsd(left),
    state: used >= limit ? 'exhausted' : isNear ? 'warning' : 'ok',
    updated_at: row.updated_at.toISOString(),
    updated_by: updated_by === null ? null : { id: updated_by, name: names.editor_name ?? '' },
  };
}

/** The organization's budgets first, then newest first; of one scope the longest interval first. */
export function compareBudgets(a: BudgetRow, b: BudgetRow): number {
  const rank = ({ id, scope }: BudgetRow) => [Number(scope === ORGANIZATION_BUDGET), Number(id === scope), id] as const;
  const [first, second] = [rank(a), rank(b)];
  for (const [index, value] of first.entries()) {
    const other = second[index] ?? '';
    if (value !== other) return value < other ? 1 : -1;
  }
  return 0;
}
