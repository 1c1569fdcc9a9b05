import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiKey } from '#contract/resources/api-key.ts';
import { BudgetMeter } from '#web/budgets/budget-meter.tsx';
import { billingSummaryQuery } from '#web/api/queries/billing.ts';
import { budgetsQuery } from '#web/api/queries/budgets.ts';
import { keyIdSuffix } from '#web/api/queries/key-labels.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/api/money.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

const BudgetDialog = lazyComponent(async () => (await import('#web/budgets/budget-dialog.tsx')).BudgetDialog);

/** The start of this month in UTC. All rows use the same time, so that they share one request. */
const startOfUtcMonth = () => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)).toISOString();
};

export function KeySpending({ apiKey: { id, name, kind } }: { apiKey: ApiKey }) {
  const [from] = useState(startOfUtcMonth);
  const { data: summary, isPending } = useQuery(billingSummaryQuery({ from }));
  const { data: budgets } = useQuery(budgetsQuery);
  const canSet = useCan('budgets.manage');
  const [open, setOpen] = useState(false);
  const label = `${name} · ${keyIdSuffix(id)}`;
  // A publishing key can only upload, which is free.
  if (kind === 'publishing') return null;
  if (!summary) return isPending ? <Skeleton className="my-1.5 h-4 w-36 pointer-coarse:my-2.5" /> : null;
  const spent = summary.by_key.find(({ key_id }) => key_id === id);
  const budget = budgets?.find((each) => each.id === id) ?? null;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-2 text-sm text-ink-2">
      <Link
        to="/billing"
        search={{ part: 'ledger', key: id, from: from.slice(0, 10) }}
        className="underline-offset-2 hover:underline"
      >
        <Money amount_usd={spent?.amount_usd ?? '0.00'} /> this month
      </Link>
      {budget ? (
        <div className="min-w-0 flex-[1_1_16rem]">
          <BudgetMeter quiet budget={budget} />
        </div>
      ) : null}
      {budgets && canSet ? (
        <Button
          size="sm"
          variant="ghost"
          onPointerEnter={BudgetDialog.preload}
          onFocus={BudgetDialog.preload}
          onClick={() => setOpen(true)}
        >
          {budget ? 'Change budget' : 'Set budget'}
          <span className="sr-only"> for {label}</span>
        </Button>
      ) : null}
      {open ? <BudgetDialog name={label} scope={`key:${id}`} budget={budget} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}
