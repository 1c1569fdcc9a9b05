import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { parseBudgetScope, startOfInterval } from '#contract/money/budget-scope.ts';
import { formatMoney, parseUsd } from '#contract/money/money.ts';
import type { Budget } from '#contract/resources/budget.ts';
import { spendingQuery, budgetsQuery } from '#web/api/queries/billing.ts';
import { Callout } from '#web/ui/display/callout.tsx';
import { THIS_INTERVAL } from './scope-name.ts';

type BudgetTarget = Pick<Budget, 'scope' | 'interval'>;

interface StopsWorkWarningProps extends BudgetTarget {
  name: string;
  used: bigint;
}

export function StopsWorkWarning({ scope, interval, name, used }: StopsWorkWarningProps) {
  return (
    <Callout tone="bad" title={`This stops all work for ${scope === 'organization' ? 'Everybody' : name} now.`}>
      {used > 0n ? `${formatMoney(used)} is used ${THIS_INTERVAL[interval]}.` : 'Nothing that costs money can start.'}
    </Callout>
  );
}

/**
 * Returns what already counts towards a budget in the current interval, once that is at or above the limit.
 * @param limitUsd null while it is not valid
 */
export function useUsedUp({ scope, interval }: BudgetTarget, limitUsd: string | null): bigint | null {
  const { data: budgets } = useQuery(budgetsQuery);
  const budget = budgets?.find((each) => each.scope === scope && each.interval === interval);
  const target = parseBudgetScope(scope);
  const { by, id } = spendingGroup(target);
  const [now] = useState(() => new Date());
  const from = `${startOfInterval(interval, now)}T00:00:00.000Z`;
  const { data: spending } = useQuery({
    ...spendingQuery({ by, from }),
    placeholderData: undefined,
    enabled: budgets !== undefined && budget === undefined && target !== null,
  });
  if (limitUsd === null) return null;
  const spent = spending?.data.filter((each) => id === undefined || each.id === id) ?? [];
  const used = budget
    ? parseUsd(budget.spent_usd ?? '0') + parseUsd(budget.reserved_usd ?? '0')
    : spent.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n);
  return parseUsd(limitUsd) + parseUsd(budget?.extra_usd ?? '0') <= used ? used : null;
}

/** @returns `id` undefined: everything in the group */
function spendingGroup(target: ReturnType<typeof parseBudgetScope>) {
  switch (target?.type) {
    case 'person':
    case 'key':
    case 'model':
      return { by: target.type, id: target.id };
    case 'tag':
      return { by: `tag:${target.name}` as const, id: target.value };
    default:
      return { by: 'task' as const, id: undefined };
  }
}
