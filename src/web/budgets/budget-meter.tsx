import type { Budget } from '#contract/resources/budget.ts';
import { Badge } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { BUDGET_STATE_LABELS, formatBudgetUsage, usedShare } from './budget-labels.ts';

const FILL_CLASSES = { ok: 'bg-good', warning: 'bg-amber', exhausted: 'bg-bad' } satisfies Record<
  Budget['state'],
  string
>;

/** How much of a month's budget is used. */
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
