import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { budgetsQuery } from '#web/api/queries/billing.ts';
import { meQuery } from '#web/api/queries/me.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button, type ButtonProps } from '#web/ui/controls/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { formatBudgetScope } from './scope-name.ts';

const BudgetDialog = lazyComponent(async () => (await import('./budget-dialog.tsx')).BudgetDialog);

interface ChangeBudgetProps extends Pick<ButtonProps, 'size' | 'variant'> {
  id: string;
}

/** Opens a dialog that changes a budget. Hidden from those who may not set budgets, and while there is none. */
export function ChangeBudgetButton({ id, ...look }: ChangeBudgetProps) {
  const { data: budgets } = useQuery({
    ...budgetsQuery,
    // Somebody else may have set the budget a moment ago.
    refetchOnMount: ({ state }) => (state.data?.some((each) => each.id === id) ? true : 'always'),
  });
  const { data: me } = useQuery(meQuery);
  const canSet = useCan('budgets.manage');
  const [open, setOpen] = useState(false);
  const budget = budgets?.find((each) => each.id === id);
  if (!canSet || !budget) return null;
  return (
    <>
      <Button
        {...look}
        onPointerEnter={BudgetDialog.preload}
        onFocus={BudgetDialog.preload}
        onClick={() => setOpen(true)}
      >
        Change budget
      </Button>
      {open ? (
        <BudgetDialog
          name={budget.scope === 'organization' ? (me?.organization.name ?? 'Studio') : formatBudgetScope(budget)}
          scope={budget.scope}
          budget={budget}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
