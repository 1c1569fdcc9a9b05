import type { Budget } from '#contract/resources/budget.ts';
import { Badge } from '#web/ui/display/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { formatMoney, parseUsd } from '#contract/money/money.ts';
import { THIS_INTERVAL } from './scope-name.ts';

const BUDGET_STATE_LABELS = {
  ok: { label: () => 'Within budget', tone: 'good' },
  warning: { label: ({ warn_at_percent }) => `Past ${warn_at_percent} %`, tone: 'amber' },
  exhausted: { label: () => 'Used up', tone: 'bad' },
} as const satisfies Record<Budget['state'], { label: (budget: Budget) => string; tone: 'good' | 'amber' | 'bad' }>;

const limitAmount = ({ limit_usd, extra_usd }: Budget): bigint => parseUsd(limit_usd) + parseUsd(extra_usd);

/** Spent and reserved amounts both count towards the limit; a shared budget shows members only what is left. */
const usedAmount = (budget: Budget): bigint =>
  budget.spent_usd === null || budget.reserved_usd === null
    ? limitAmount(budget) - parseUsd(budget.left_usd)
    : parseUsd(budget.spent_usd) + parseUsd(budget.reserved_usd);

function usedShare(budget: Budget): number {
  const limit = limitAmount(budget);
  return limit === 0n ? 1 : Number((usedAmount(budget) * 10_000n) / limit) / 10_000;
}

/** "$12.50 of $50.00 used, $37.50 left this month"; "$37.50 of $50.00 left this month" where members see no more. */
function formatBudgetUsage(budget: Budget): string {
  const [limit, left] = [formatMoney(limitAmount(budget)), formatMoney(budget.left_usd)];
  const usage =
    budget.spent_usd === null
      ? `${left} of ${limit} left`
      : `${formatMoney(usedAmount(budget))} of ${limit} used, ${left} left`;
  return `${usage} ${THIS_INTERVAL[budget.interval]}`;
}

const FILL_CLASSES = { ok: 'bg-good', warning: 'bg-amber', exhausted: 'bg-bad' } satisfies Record<
  Budget['state'],
  string
>;

export function BudgetMeter({ budget, quiet }: { budget: Budget; quiet?: boolean }) {
  const { label, tone } = BUDGET_STATE_LABELS[budget.state];
  const percent = Math.min(100, usedShare(budget) * 100);
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <span aria-hidden="true" data-meter="" className="block h-1.5 overflow-hidden rounded-xs bg-hover">
        <span style={{ width: `${percent}%` }} className={cx('block h-full rounded-xs', FILL_CLASSES[budget.state])} />
      </span>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-2 tabular-nums">
        {formatBudgetUsage(budget)}
        {quiet && budget.state === 'ok' ? null : <Badge tone={tone}>{label(budget)}</Badge>}
      </span>
    </div>
  );
}
