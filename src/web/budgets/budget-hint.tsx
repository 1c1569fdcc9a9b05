import { useQuery } from '@tanstack/react-query';
import type { ModelId } from '#contract/ids.ts';
import { parseUsd } from '#contract/money.ts';
import type { Budget } from '#contract/resources/budget.ts';
import { budgetsQuery } from '#web/api/queries/budgets.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useTagValues } from '#web/forms/tags/tag-values.ts';
import { formatMoney } from '#web/ui/money.tsx';
import { formatBudgetScope, THIS_INTERVAL } from './scope-name.ts';

interface BudgetHintProps {
  model: ModelId | null;
  /** null while the price is unknown. */
  amount_usd: string | null;
}

/** What is left of the tightest budget that an order counts towards, and whether the order would exceed it. */
export function BudgetHint({ model, amount_usd }: BudgetHintProps) {
  const { data: budgets } = useQuery(budgetsQuery);
  const { data: me } = useQuery(meQuery);
  const tags = Object.entries(useTagValues()).map(([name, value]) => `tag:${name}=${value.trim()}`);
  const scopes = ['organization', `key:${me?.key.id}`, `person:${me?.person?.id}`, `model:${model}`, ...tags];
  const [tightest] = (budgets ?? []).filter(({ scope }) => scopes.includes(scope)).toSorted(compareLeft);
  const is_above = tightest && amount_usd !== null && parseUsd(amount_usd) > parseUsd(tightest.left_usd);
  return (
    <p aria-live="polite" className={is_above ? 'text-bad' : 'text-ink-3'}>
      {tightest ? (is_above ? `Above the budget: only ${formatLeft(tightest)}.` : `${formatLeft(tightest)}.`) : null}
    </p>
  );
}

function compareLeft(a: Budget, b: Budget): number {
  const [first, second] = [parseUsd(a.left_usd), parseUsd(b.left_usd)];
  return first < second ? -1 : Number(first > second);
}

const formatLeft = (budget: Budget): string =>
  `${formatMoney(budget.left_usd, { cents: 'down' })} left ${THIS_INTERVAL[budget.interval]} for ${formatBudgetScope(budget)}`;
