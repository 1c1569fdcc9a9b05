import { useQuery } from '@tanstack/react-query';
import { formatMoney, formatMoneyToCent } from '#contract/money/money.ts';
import { billingSummaryQuery } from '#web/api/queries/billing.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { useSession } from '#web/api/session/session.ts';
import { THIS_INTERVAL } from '#web/budgets/scope-name.ts';
import { useOwnBudget } from '#web/budgets/use-own-budget.ts';
import { Skeleton } from '#web/ui/display/skeleton.tsx';

/** What the caller may spend: what is left of their own budget, else what the organization has. Null: not allowed to see. */
export function useFunds() {
  const isSignedIn = useSession() === 'signed_in';
  const canSee = useCan('billing.read_own') && isSignedIn;
  const { data: summary, isError } = useQuery({ ...billingSummaryQuery(), enabled: canSee });
  const ownBudget = useOwnBudget();
  if (!canSee) return null;
  const amountUsd = ownBudget?.left_usd ?? summary?.available_usd;
  return {
    amount: amountUsd === undefined ? (isError ? 'Unknown' : null) : formatMoneyToCent(amountUsd),
    exact: amountUsd === undefined ? null : formatMoney(amountUsd),
    label: ownBudget ? `left ${THIS_INTERVAL[ownBudget.interval]}` : 'available',
    summary,
    ownBudget,
  };
}

/** The amount beside the entry for money. */
export function NavFunds() {
  const funds = useFunds();
  if (!funds) return null;
  return (
    <span
      data-tooltip={funds.exact ? `${funds.exact} ${funds.label}` : funds.label}
      className="max-w-full truncate text-ink-2 tabular-nums xl:ml-auto xl:text-xs"
    >
      {funds.amount ?? <Skeleton className="h-3 w-10" />}
      <span className="sr-only"> {funds.label}</span>
    </span>
  );
}
