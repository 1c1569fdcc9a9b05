import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { billingSummaryQuery } from '#web/api/queries/billing-summary.ts';
import { queryError } from '#web/api/queries/query-error.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { cx } from '#web/ui/cx.ts';
import { type CentRounding, Money } from '#web/ui/money.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

const grid = 'grid gap-px overflow-hidden rounded-md border border-line bg-line grid-cols-2 lg:grid-cols-4';

/** The organization's money at a glance. */
export function Funds() {
  const funds = useQuery(billingSummaryQuery());
  const { data, refetch } = funds;
  const problem = queryError(funds);
  if (problem && !data) return <LoadError what="Your funds" error={problem} onRetry={() => void refetch()} />;
  const figures = (
    <dl className={grid}>
      <Figure name="Available" amount_usd={data?.available_usd} cents="down" main>
        What new work can be paid from.
      </Figure>
      <Figure name="Reserved" amount_usd={data?.reserved_usd} cents="up">
        Set aside for work under way.
      </Figure>
      <Figure name="Balance" amount_usd={data?.balance_usd} cents="down">
        Available and reserved together.
      </Figure>
      <Figure name="Spent this month" amount_usd={data?.spent_this_month_usd} cents="nearest">
        {data ? <Money amount_usd={data.spent_total_usd} cents="nearest" /> : '…'} in all.
      </Figure>
    </dl>
  );
  return data ? figures : <Loading label="Loading funds">{figures}</Loading>;
}

function Figure({
  name,
  amount_usd,
  cents,
  main,
  children,
}: {
  name: string;
  /** Left out while it is loading. */
  amount_usd: string | undefined;
  cents: CentRounding;
  main?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="bg-surface px-4 py-4">
      <dt className="text-sm font-medium text-ink-2">{name}</dt>
      <dd className="mt-1">
        <span className={cx('block text-lg font-semibold tracking-[-0.015em] sm:text-xl', main && 'text-amber-text')}>
          {amount_usd === undefined ? (
            <Skeleton className="h-[1lh] w-28 max-w-full" />
          ) : (
            <Money amount_usd={amount_usd} cents={cents} />
          )}
        </span>
        <span className="mt-0.5 block text-sm text-ink-3">{children}</span>
      </dd>
    </div>
  );
}
