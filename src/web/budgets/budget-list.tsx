import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { Budget } from '#contract/resources/budget.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { ChangedBy } from '#web/collections/creator.tsx';
import { budgetsQuery } from '#web/api/queries/billing.ts';
import { useLatestChanges } from '#web/api/queries/audit-events.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { AskButton } from './ask-button.tsx';
import { BudgetMeter } from './budget-meter.tsx';
import { ChangeBudgetButton } from './change-budget-button.tsx';
import { formatBudgetScope, INTERVAL_ADJECTIVES } from './scope-name.ts';

const BudgetDialog = lazyComponent(async () => (await import('./budget-dialog.tsx')).BudgetDialog);

/** Every budget but the organization's monthly one, which stands above. */
export function BudgetList() {
  const { data } = useQuery(budgetsQuery);
  const canSet = useCan('budgets.manage');
  const [adding, setAdding] = useState(false);
  const budgets = data?.filter(({ id }) => id !== 'organization') ?? [];
  const changes = useLatestChanges(
    'budget',
    budgets.map(({ id }) => id),
  );
  if (!data || (budgets.length === 0 && !canSet)) return null;
  return (
    <Card
      title="Budgets"
      description="Charges and reservations both count. Work that would exceed a budget is rejected."
      actions={
        canSet ? (
          <Button
            size="sm"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onPointerEnter={BudgetDialog.preload}
            onFocus={BudgetDialog.preload}
            onClick={() => setAdding(true)}
          >
            New budget
          </Button>
        ) : null
      }
    >
      {budgets.length === 0 ? (
        <p className="text-sm text-ink-2">No budgets for people, keys, models or tags yet.</p>
      ) : (
        <ul aria-label="Budgets" className="-my-3 divide-y divide-line">
          {budgets.map((budget) => (
            <BudgetRow key={budget.id} budget={budget} change={changes.get(budget.id)} />
          ))}
        </ul>
      )}
      {adding ? <BudgetDialog name={null} scope={null} budget={null} onClose={() => setAdding(false)} /> : null}
    </Card>
  );
}

function BudgetRow({ budget, change }: { budget: Budget; change: AuditEvent | undefined }) {
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 flex-[1_1_9rem]">
        <p className="font-medium wrap-anywhere">{formatBudgetScope(budget)}</p>
        <p className="text-sm text-ink-3">{INTERVAL_ADJECTIVES[budget.interval]}</p>
        <ChangedBy change={change} />
      </div>
      <div className="min-w-0 flex-[2_1_16rem]">
        <BudgetMeter quiet budget={budget} />
      </div>
      <ChangeBudgetButton id={budget.id} size="sm" variant="ghost" />
      <AskButton ask={{ kind: 'budget', budget_id: budget.id, amount_usd: '' }} size="sm" variant="ghost" />
    </li>
  );
}
