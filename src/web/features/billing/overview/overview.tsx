import type { BillingTabProps } from '../billing-search.ts';
import { Funds } from '../funds.tsx';
import { defaultPeriod } from '../period.ts';
import { PeriodSelect } from '../period-select.tsx';
import { useIsOperator } from '#web/api/queries/me.ts';
import { OrganizationBudget } from './organization-budget.tsx';
import { LedgerVerificationCard } from './ledger-verification-card.tsx';
import { Reservations } from './reservations.tsx';
import { SpendingCard } from './spending-card.tsx';

export function Overview({ search: { from, to, by = 'task' }, onChange }: BillingTabProps) {
  const operator = useIsOperator();
  const fallback = defaultPeriod();
  const end = to ?? fallback.to;
  const start = from ?? (fallback.from <= end ? fallback.from : end);
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-3">
        <Funds />
        <OrganizationBudget />
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
          <Reservations />
          {operator ? <LedgerVerificationCard /> : null}
        </div>
      </div>
    </div>
  );
}
