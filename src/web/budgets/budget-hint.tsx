import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatMoney } from '#contract/money/money.ts';
import type { Budget } from '#contract/resources/budget.ts';
import { budgetsQuery } from '#web/api/queries/billing.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useTagValues } from '#web/forms/tags/tag-values.ts';
import { AskButton } from './ask-button.tsx';
import { findTightestBudget, isAbove } from './order-limits.ts';
import { formatBudgetScope, THIS_INTERVAL } from './scope-name.ts';
import { type OrderAmounts, useApprovalLimit } from './use-approval-limit.ts';

const POLL_MS = 30_000;

interface BudgetHintProps extends OrderAmounts {
  models: readonly string[];
}

/** What is left of the tightest budget that an order counts towards, and whether it exceeds that or needs an approval. */
export function BudgetHint({ models, ...amounts }: BudgetHintProps) {
  const { amount_usd } = amounts;
  // Others spend from shared budgets, too.
  const { data: budgets } = useQuery({ ...budgetsQuery, refetchInterval: POLL_MS });
  const { data: me } = useQuery(meQuery);
  const tags = useTagValues();
  const limitUsd = useApprovalLimit(amounts);
  const budget = findTightestBudget(budgets ?? [], { key_id: me?.key.id, person_id: me?.person?.id, models, tags });
  const isOver = budget !== null && amount_usd !== null && isAbove(amount_usd, budget.left_usd);
  return (
    <div aria-live="polite" className="flex flex-col gap-1 text-ink-3">
      {budget === null || isOver ? null : <p>{formatLeft(budget)}.</p>}
      {budget !== null && isOver ? <OverBudget budget={budget} amount_usd={amount_usd} /> : null}
      {limitUsd === null ? null : (
        <p className="text-amber-text">Above {formatMoney(limitUsd)}: an administrator has to approve it.</p>
      )}
    </div>
  );
}

function OverBudget({ budget, amount_usd }: { budget: Budget; amount_usd: string }): ReactNode {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p className="text-bad">Above the budget: only {formatLeft(budget)}.</p>
      <AskButton ask={{ kind: 'budget', budget_id: budget.id, amount_usd }} variant="secondary" size="sm" />
    </div>
  );
}

const formatLeft = (budget: Budget): string =>
  `${formatMoney(budget.left_usd)} left ${THIS_INTERVAL[budget.interval]} for ${formatBudgetScope(budget)}`;
