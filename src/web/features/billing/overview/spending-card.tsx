import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isMissingFeature } from '#web/api/api-errors.ts';
import { spendingQuery } from '#web/api/queries/billing.ts';
import { queryError } from '#web/api/queries/query-error.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Card } from '#web/ui/card.tsx';
import { startOfUtcDay } from '#web/ui/days.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Select } from '#web/ui/select.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { daysInPeriod } from '../period.ts';
import type { SpendingGroup } from '#contract/ledger.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { useSpendingGroups } from '../spending-groups.ts';
import { SpendChart } from './spend-chart.tsx';
import { buildSpendChart } from './spend-chart-data.ts';
import { SpendTable } from './spend-table.tsx';
import { TopSpendingList } from './top-spending-list.tsx';
import { Refreshing } from '#web/ui/refreshing.tsx';

interface SpendingCardProps {
  by: SpendingGroup;
  period: { from: string; to: string };
  onChange: (by: SpendingGroup) => void;
}

const toPeriodQuery = ({ from, to }: SpendingCardProps['period']) => ({
  from: startOfUtcDay(from)?.toISOString(),
  to: startOfUtcDay(to, 1)?.toISOString(),
});

/** Daily spending by task, model, person, key or tag. Renders nothing if the service does not report it. */
export function SpendingCard({ by, period, onChange }: SpendingCardProps) {
  const names = useCatalogNames();
  const groups = useSpendingGroups();
  const spending = useQuery(spendingQuery({ by, ...toPeriodQuery(period) }));
  const { data: cells, isPlaceholderData } = spending;
  const { from, to } = period;
  const data = useMemo(() => {
    const named = cells?.data.map((cell) => ({ ...cell, name: (cell.id && names.find(cell.id)) || cell.name }));
    return named && buildSpendChart(named, daysInPeriod({ from, to }));
  }, [cells, names, from, to]);
  const problem = queryError(spending);
  if (isMissingFeature(problem)) return null;
  return (
    <Card
      title="Daily spending"
      description="Charges minus refunds, by UTC day."
      actions={<Select aria-label="Group by" className="w-36" value={by} options={groups} onChange={onChange} />}
      footer={
        data && data.count > 0 ? (
          <Disclosure summary="View as table" className="w-full">
            <SpendTable data={data} />
          </Disclosure>
        ) : null
      }
    >
      {data ? (
        <Refreshing active={isPlaceholderData}>
          <SpendChart key={`${from}${to}`} data={data} />
          {data.all_series.length > 0 ? (
            <TopSpendingList by={cells?.by ?? by} series={data.all_series} period={period} />
          ) : null}
        </Refreshing>
      ) : problem ? (
        <LoadError what="Spending" error={problem} onRetry={() => void spending.refetch()} />
      ) : (
        <Loading label="Loading spending">
          <Skeleton className="h-6 w-28" />
          <Skeleton className="mt-12 h-44 w-full" />
        </Loading>
      )}
    </Card>
  );
}
