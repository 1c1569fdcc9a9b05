import { parseUsd } from '#contract/money/money.ts';
import type { Budget } from '#contract/resources/budget.ts';

interface OrderScope {
  key_id: string | undefined;
  person_id: string | undefined;
  models: readonly string[];
  tags: Readonly<Record<string, string>>;
}

/** The budget with the least left of those that an order counts towards. */
export function findTightestBudget(budgets: readonly Budget[], order: OrderScope): Budget | null {
  const scopes = new Set([
    'organization',
    `key:${order.key_id}`,
    `person:${order.person_id}`,
    ...order.models.map((model) => `model:${model}`),
    ...Object.entries(order.tags).map(([name, value]) => `tag:${name}=${value.trim()}`),
  ]);
  const [tightest] = budgets.filter(({ scope }) => scopes.has(scope)).toSorted(compareLeft);
  return tightest ?? null;
}

function compareLeft(a: Budget, b: Budget): number {
  const [first, second] = [parseUsd(a.left_usd), parseUsd(b.left_usd)];
  return first < second ? -1 : Number(first > second);
}

export const isAbove = (amountUsd: string, limitUsd: string): boolean => parseUsd(amountUsd) > parseUsd(limitUsd);
