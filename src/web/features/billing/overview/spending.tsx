import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { isMissingFeature } from '#web/api-errors.ts';
import { spendingQuery } from '#web/queries/audit.ts';
import { problemOf } from '#web/queries/problem-of.ts';
import { LoadError } from '#web/shell/load-error.tsx';
import { Card } from '#web/ui/card.tsx';
import { cx } from '#web/ui/cx.ts';
import { startOfUtcDay } from '#web/ui/days.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { daysOf } from '../period.ts';
import type { SpendingGroup } from '../spending-groups.ts';
import { SpendChart } from './spend-chart.tsx';
import { spendChart } from './spend-series.ts';
import { SpendTable } from './spend-table.tsx';
import { TopList } from './top-list.tsx';

const GROUPS = [
  { value: 'task', label: 'Task' },
  { value: 'model', label: 'Model' },
  { value: 'key', label: 'Key' },
] as const;

interface SpendingProps {
  by: SpendingGroup;
  period: { from: string; to: string };
  onChange: (by: SpendingGroup) => void;
}

const between = ({ from, to }: SpendingProps['period']) => ({
  from: startOfUtcDay(from)?.toISOString(),
  to: startOfUtcDay(to, 1)?.toISOString(),
});

/** Who spent what on what, per day; nothing where the service does not say. */
export function Spending({ by, period, onChange }: SpendingProps) {
  const spending = useQuery(spendingQuery({ by, ...between(period) }));
  const { data: cells, isPlaceholderData } = spending;
  const { from, to } = period;
  const data = useMemo(() => cells && spendChart(cells.data, daysOf({ from, to })), [cells, from, to]);
  const problem = problemOf(spending);
  if (isMissingFeature(problem)) return null;
  return (
    <Card
      title="Spent per day"
      description="Charges less refunds, in UTC days."
      actions={<SegmentedControl label="Stacked by" size="sm" value={by} options={GROUPS} onChange={onChange} />}
      footer={
        data && data.count > 0 ? (
          <Disclosure summary="As a table" className="w-full">
            <SpendTable data={data} />
          </Disclosure>
        ) : null
      }
    >
      {data ? (
        <div className={cx('transition-opacity', isPlaceholderData && 'opacity-50')}>
          <SpendChart key={`${from}${to}`} data={data} />
          {data.all.length > 0 ? <TopList by={cells?.by ?? by} series={data.all} period={period} /> : null}
        </div>
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
