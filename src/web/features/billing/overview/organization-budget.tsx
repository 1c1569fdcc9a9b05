import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BudgetMeter } from '#web/budgets/budget-meter.tsx';
import { budgetsQuery } from '#web/api/queries/budgets.ts';
import { meQuery, useIsOperator } from '#web/api/queries/me.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

const BudgetDialog = lazyComponent(async () => (await import('#web/budgets/budget-dialog.tsx')).BudgetDialog);

const line = 'flex flex-wrap items-center gap-x-6 gap-y-3 rounded-md border border-line bg-surface px-4 py-3';

/** Spending of this month against the organization's budget. Members see it only if a budget is set. */
export function OrganizationBudget() {
  const { data: budgets, isPending } = useQuery(budgetsQuery);
  const { data: me } = useQuery(meQuery);
  const operator = useIsOperator();
  const [open, setOpen] = useState(false);
  if (isPending && operator) return <BudgetSkeleton />;
  if (!budgets) return null;
  const budget = budgets.find(({ key }) => key === null) ?? null;
  if (!budget && !operator) return null;
  return (
    <section aria-label="Monthly budget" className={line}>
      <div className="min-w-0 flex-[1_1_18rem]">
        {budget ? <BudgetMeter budget={budget} /> : <p className="text-sm text-ink-2">No monthly budget</p>}
      </div>
      {operator ? (
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
          key_id={null}
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
