import type { Budget } from '#contract/resources/budget.ts';
import { formatUsd, parseUsd } from '#contract/money.ts';
import { formatMoney } from '#web/ui/money.tsx';

/** The badge of each state of a budget. */
export const BUDGET_STATE_LABELS = {
  ok: { label: () => 'Within budget', tone: 'good' },
  warning: { label: ({ warn_at_percent }) => `Past ${warn_at_percent} %`, tone: 'amber' },
  exhausted: { label: () => 'Used up', tone: 'bad' },
} as const satisfies Record<Budget['state'], { label: (budget: Budget) => string; tone: 'good' | 'amber' | 'bad' }>;

/** Spent and reserved, which is what counts towards the limit. */
export const usedAmount = ({ spent_usd, reserved_usd }: Budget): bigint => parseUsd(spent_usd) + parseUsd(reserved_usd);

/** Share of the limit, 0 to 1 and above. */
export function usedShare(budget: Budget): number {
  const limit = parseUsd(budget.limit_usd);
  return limit === 0n ? 1 : Number((usedAmount(budget) * 10_000n) / limit) / 10_000;
}

/** "$12.50 of $50.00 used, $37.50 left this month". */
export const formatBudgetUsage = (budget: Budget): string =>
  `${formatMoney(formatUsd(usedAmount(budget)), { cents: 'up' })} of ${formatMoney(budget.limit_usd)} used, ${formatMoney(budget.left_usd, { cents: 'down' })} left this month`;
