import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Money } from '#web/api/money.tsx';
import { ledgerSumsQuery, billingSummaryQuery } from '#web/api/queries/billing.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { queryError } from '#web/api/api-errors.ts';
import { THIS_INTERVAL } from '#web/budgets/scope-name.ts';
import { useOwnBudget } from '#web/budgets/use-own-budget.ts';
import { cx } from '#web/ui/cx.ts';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { LEDGER_TYPE_LABELS } from './ledger/ledger-type-labels.ts';

const grid = 'grid flex-[1_1_24rem] gap-px overflow-hidden rounded-md border border-line bg-line';

/** Those who see only their own money read it apart from everybody's. */
export function Funds() {
  const seesAll = useCan('billing.read');
  const summary = useQuery(billingSummaryQuery());
  const { data, refetch } = summary;
  const error = queryError(summary);
  if (error && !data) return <LoadError what="Your balance" error={error} onRetry={() => void refetch()} />;
  const allTime = <>{data ? <Money amount_usd={data.spent_total_usd} /> : '…'} all time, net of refunds</>;
  const figures = seesAll ? (
    <div>
      <dl className={cx(grid, 'grid-cols-2 lg:grid-cols-4')}>
        <Figure name="Available" amount_usd={data?.available_usd} main>
          Can be spent on new work
        </Figure>
        <Figure name="Reserved" amount_usd={data?.reserved_usd}>
          For unfinished work
        </Figure>
        <Figure name="Balance" amount_usd={data?.balance_usd}>
          Available plus reserved
        </Figure>
        <Figure name="Spent this month" amount_usd={data?.spent_this_month_usd}>
          {allTime}
        </Figure>
      </dl>
      <BalanceSum />
    </div>
  ) : (
    <div className="flex flex-wrap gap-3">
      <dl aria-label="Yours" className={cx(grid, 'grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]')}>
        <OwnBudgetFigure />
        <Figure name="Spent by you this month" amount_usd={data?.spent_this_month_usd}>
          {allTime}
        </Figure>
      </dl>
      <dl aria-label="Everybody’s" className={cx(grid, 'grid-cols-2')}>
        <Figure name="Available to everybody" amount_usd={data?.available_usd}>
          Can be spent on new work
        </Figure>
        <Figure name="Reserved by everybody" amount_usd={data?.reserved_usd}>
          For unfinished work
        </Figure>
      </dl>
    </div>
  );
  return data ? figures : <Loading label="Loading balance">{figures}</Loading>;
}

function OwnBudgetFigure() {
  const budget = useOwnBudget();
  if (!budget) return null;
  return (
    <Figure name={`Yours ${THIS_INTERVAL[budget.interval]}`} amount_usd={budget.left_usd} main suffix=" left">
      of <Money amount_usd={formatUsd(parseUsd(budget.limit_usd) + parseUsd(budget.extra_usd))} />
    </Figure>
  );
}

interface FigureProps {
  name: string;
  /** undefined while loading. */
  amount_usd: string | undefined;
  suffix?: string;
  main?: boolean;
  children: ReactNode;
}

function Figure({ name, amount_usd, suffix, main, children }: FigureProps) {
  return (
    <div className="bg-surface px-4 py-4">
      <dt className="text-sm font-medium text-ink-2">{name}</dt>
      <dd className="mt-1">
        <span className={cx('block text-lg font-semibold tracking-[-0.015em] sm:text-xl', main && 'text-amber-text')}>
          {amount_usd === undefined ? (
            <Skeleton className="h-[1lh] w-28 max-w-full" />
          ) : (
            <>
              <Money amount_usd={amount_usd} />
              {suffix}
            </>
          )}
        </span>
        <span className="mt-0.5 block text-sm text-ink-3">{children}</span>
      </dd>
    </div>
  );
}

/** Reservations change what is available, not the balance. */
const BALANCE_TYPES = ['TOP_UP', 'ADMIN_CREDIT', 'ADJUSTMENT', 'SETTLE', 'REFUND'] as const;

/** What the balance consists of: all figures are of one response, so that they add up. */
function BalanceSum() {
  const { data: sums } = useQuery(ledgerSumsQuery({}));
  if (!sums) return null;
  const rows = BALANCE_TYPES.flatMap((type) => sums.by_type.find((sum) => sum.type === type) ?? []);
  const balance = rows.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n);
  return (
    <dl aria-label="What the balance consists of" className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-3">
      {rows.map(({ type, amount_usd }) => (
        <div key={type} className="flex gap-1.5">
          <dt>{LEDGER_TYPE_LABELS[type].label}</dt>
          <dd className="text-ink-2">
            <Money signed amount_usd={amount_usd} />
          </dd>
        </div>
      ))}
      <div className="flex gap-1.5">
        <dt>= Balance</dt>
        <dd className="font-medium text-ink">
          <Money amount_usd={formatUsd(balance)} />
        </dd>
      </div>
    </dl>
  );
}
