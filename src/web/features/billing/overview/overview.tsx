import type { BillingTabProps } from '../billing-search.ts';
import { Funds } from '../funds.tsx';
import { defaultPeriod } from '../period.ts';
import { PeriodSelect } from '../period-select.tsx';
import { ChangedBy } from '#web/api/changed-by.tsx';
import { useLatestChanges } from '#web/api/queries/audit-events.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { LedgerVerificationCard } from './ledger-verification-card.tsx';
import { OwnRequests } from '#web/budgets/own-requests.tsx';
import { Reservations } from './reservations.tsx';
import { SpendingCard } from './spending-card.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AskButton } from '#web/budgets/ask-button.tsx';
import { BudgetList } from '#web/budgets/budget-list.tsx';
import { BudgetMeter } from '#web/budgets/budget-meter.tsx';
import { budgetsQuery } from '#web/api/queries/budgets.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

export function Overview({ search: { from, to, by = 'task' }, onChange }: BillingTabProps) {
  const canVerify = useCan('ledger.verify');
  const fallback = defaultPeriod();
  const end = to ?? fallback.to;
  const start = from ?? (fallback.from <= end ? fallback.from : end);
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-3">
        <Funds />
        <OrganizationBudget />
        <BudgetList />
      </div>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h2 className="py-1.5 text-md font-semibold">Spending</h2>
        <PeriodSelect
          from={from}
          to={to}
          none="Last 30 days"
          onChange={onChange}
          className="w-52 has-[input]:w-80 max-sm:w-full!"
        />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)]">
        <SpendingCard by={by} period={{ from: start, to: end }} onChange={(group) => onChange({ by: group })} />
        <div className="flex flex-col gap-6">
          <OwnRequests />
          <Reservations />
          {canVerify ? <LedgerVerificationCard /> : null}
        </div>
      </div>
    </div>
  );
}

const BudgetDialog = lazyComponent(async () => (await import('#web/budgets/budget-dialog.tsx')).BudgetDialog);

const ORGANIZATION_BUDGET = ['organization'];
const line = 'flex flex-wrap items-center gap-x-6 gap-y-3 rounded-md border border-line bg-surface px-4 py-3';

/** Spending of this month against the organization's budget. Members see it only if a budget is set. */
function OrganizationBudget() {
  const { data: budgets, isPending } = useQuery(budgetsQuery);
  const { data: me } = useQuery(meQuery);
  const canSet = useCan('budgets.manage');
  const [open, setOpen] = useState(false);
  const changes = useLatestChanges('budget', ORGANIZATION_BUDGET);
  if (isPending && canSet) return <BudgetSkeleton />;
  if (!budgets) return null;
  const budget = budgets.find(({ id }) => id === 'organization') ?? null;
  if (!budget && !canSet) return null;
  return (
    <section aria-label="Monthly budget" className={line}>
      <div className="min-w-0 flex-[1_1_18rem]">
        {budget ? <BudgetMeter budget={budget} /> : <p className="text-sm text-ink-2">No monthly budget</p>}
        {budget ? <ChangedBy change={changes.get(budget.id)} className="mt-1" /> : null}
      </div>
      {budget ? (
        <AskButton ask={{ kind: 'budget', budget_id: budget.id, amount_usd: '' }} size="sm" variant="secondary" />
      ) : null}
      {canSet ? (
        <Button
          size="sm"
          onPointerEnter={BudgetDialog.preload}
          onFocus={BudgetDialog.preload}
          onClick={() => setOpen(true)}
        >
          {budget ? 'Change budget' : 'Set budget'}
        </Button>
      ) : null}
      {open ? (
        <BudgetDialog
          name={me?.organization.name ?? 'Organization'}
          scope="organization"
          budget={budget}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </section>
  );
}

const BudgetSkeleton = () => (
  <Loading label="Loading budget" className={line}>
    <span className="block min-w-0 flex-[1_1_18rem] py-0.5">
      <Skeleton className="h-4 w-40" />
    </span>
    <Skeleton className="h-7 w-22 pointer-coarse:h-9" />
  </Loading>
);
