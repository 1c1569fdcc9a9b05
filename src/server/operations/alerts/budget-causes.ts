import { formatMoney, parseUsd } from '#contract/money.ts';
import type { Budget } from '#contract/resources/budget.ts';
import { listBudgets } from '#server/accounts/billing/budgets.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { AlertCause } from './alert-cause.ts';

const INTERVAL_LABELS = { day: 'daily', week: 'weekly', month: 'monthly' } as const satisfies Record<
  Budget['interval'],
  string
>;

export async function findBudgetCauses({ clock }: Deps, tx: Tx, organization_id: string): Promise<AlertCause[]> {
  const { data } = await listBudgets({ db: tx, clock }, organization_id);
  return data.filter(({ state }) => state !== 'ok').map(describeBudget);
}

function describeBudget(budget: Budget): AlertCause {
  const limit = parseUsd(budget.limit_usd) + parseUsd(budget.extra_usd);
  const used = limit - parseUsd(budget.left_usd);
  const owner =
    budget.scope === 'organization'
      ? 'the organization'
      : (budget.scope_name ?? budget.scope.slice(budget.scope.indexOf(':') + 1));
  const name = `The ${INTERVAL_LABELS[budget.interval]} budget of ${owner}`;
  const is_used_up = budget.state === 'exhausted';
  const next = budget.resets_at.slice(0, 10);
  return {
    kind: is_used_up ? 'budget_exhausted' : 'budget_warning',
    subject_id: budget.id,
    subject_name: owner,
    // A limit that was raised can be used up as well.
    period: `${budget.interval_start} ${formatMoney(limit)}`,
    message: is_used_up
      ? `${name} is used up: all of ${formatMoney(limit)} is spent or reserved. It resets on ${next}.`
      : `${name} is almost used up: ${formatMoney(used)} of ${formatMoney(limit)} is spent or reserved. It resets on ${next}.`,
  };
}
