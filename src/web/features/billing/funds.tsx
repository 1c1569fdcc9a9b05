import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { billingSummaryQuery } from '#web/api/queries/billing-summary.ts';
import { queryError } from '#web/api/queries/query-error.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { cx } from '#web/ui/cx.ts';
import { Money } from '#web/api/money.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';

const grid = 'grid gap-px overflow-hidden rounded-md border border-line bg-line grid-cols-2 lg:grid-cols-4';

export function Funds() {
  const summary = useQuery(billingSummaryQuery());
  const { data, refetch } = summary;
  const error = queryError(summary);
  if (error && !data) return <LoadError what="Your balance" error={error} onRetry={() => void refetch()} />;
  const figures = (
    <dl className={grid}>
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
        {data ? <Money amount_usd={data.spent_total_usd} /> : '…'} all time
      </Figure>
    </dl>
  );
  return data ? figures : <Loading label="Loading balance">{figures}</Loading>;
}

function Figure({
  name,
  amount_usd,
  main,
  children,
}: {
  name: string;
  /** undefined while loading. */
  amount_usd: string | undefined;
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
            <Money amount_usd={amount_usd} />
          )}
        </span>
        <span className="mt-0.5 block text-sm text-ink-3">{children}</span>
      </dd>
    </div>
  );
}
