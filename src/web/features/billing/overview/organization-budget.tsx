import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { BudgetMeter } from '#web/budgets/budget-meter.tsx';
import { budgetsQuery } from '#web/queries/budgets.ts';
import { meQuery, useIsOperator } from '#web/queries/me.ts';
import { Button } from '#web/ui/button.tsx';
import { onDemand } from '#web/ui/on-demand.tsx';

const BudgetDialog = onDemand(async () => (await import('#web/budgets/budget-dialog.tsx')).BudgetDialog);

/** This month against the organization's budget; nothing where the service knows none, or none is set and none may be. */
export function OrganizationBudget() {
  const { data: budgets } = useQuery(budgetsQuery);
  const { data: me } = useQuery(meQuery);
  const operator = useIsOperator();
  const [open, setOpen] = useState(false);
  if (!budgets) return null;
  const budget = budgets.find(({ key }) => key === null) ?? null;
  if (!budget && !operator) return null;
  return (
    <section
      aria-label="Budget of this month"
      className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-md border border-line bg-surface px-4 py-3"
    >
      <div className="min-w-0 flex-[1_1_18rem]">
        {budget ? <BudgetMeter budget={budget} /> : <p className="text-sm text-ink-2">No monthly budget is set.</p>}
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
          name={me?.organization.name ?? 'everybody'}
          key_id={null}
          budget={budget}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </section>
  );
}
