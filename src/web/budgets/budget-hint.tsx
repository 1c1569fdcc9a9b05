import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatMoney } from '#contract/money.ts';
import type { Budget } from '#contract/resources/budget.ts';
import { budgetsQuery } from '#web/api/queries/budgets.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { settingsQuery } from '#web/api/queries/settings.ts';
import { useTagValues } from '#web/forms/tags/tag-values.ts';
import { AskButton } from './ask-button.tsx';
import { findTightestBudget, isAbove } from './order-limits.ts';
import { formatBudgetScope, THIS_INTERVAL } from './scope-name.ts';

const POLL_MS = 30_000;

interface BudgetHintProps {
  models: readonly string[];
  /** The least that the order costs; null while the price is unknown. */
  amount_usd: string | null;
  /** The most that it can cost; null if that is unknown. By default `amount_usd`. */
  maximum_usd?: string | null;
}

/** What is left of the tightest budget that an order counts towards, and whether it exceeds that or needs an approval. */
export function BudgetHint({ models, amount_usd, maximum_usd = amount_usd }: BudgetHintProps) {
  // Others spend from shared budgets, too.
  const { data: budgets } = useQuery({ ...budgetsQuery, refetchInterval: POLL_MS });
  const { data: me } = useQuery(meQuery);
  const tags = useTagValues();
  const is_member = me?.person?.role === 'member';
  const { data: settings } = useQuery({ ...settingsQuery, enabled: is_member });
  const limit_usd = (is_member ? settings?.approval_above_usd : null) ?? null;
  const needs_approval =
    limit_usd !== null && amount_usd !== null && (maximum_usd === null || isAbove(maximum_usd, limit_usd));
  const budget = findTightestBudget(budgets ?? [], { key_id: me?.key.id, person_id: me?.person?.id, models, tags });
  const is_over = budget !== null && amount_usd !== null && isAbove(amount_usd, budget.left_usd);
  return (
    <div aria-live="polite" className="flex flex-col gap-1 text-ink-3">
      {budget === null || is_over ? null : <p>{formatLeft(budget)}.</p>}
      {budget !== null && is_over ? <OverBudget budget={budget} amount_usd={amount_usd} /> : null}
      {needs_approval ? (
        <p className="text-amber-text">Above {formatMoney(limit_usd)}: an administrator has to approve it.</p>
      ) : null}
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
