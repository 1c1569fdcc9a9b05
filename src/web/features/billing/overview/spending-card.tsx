import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { spendingQuery } from '#web/api/queries/billing.ts';
import { LoadingOrError } from '#web/api/load-error.tsx';
import { Card } from '#web/ui/display/card.tsx';
import { startOfUtcDay } from '#web/ui/controls/days.ts';
import { Select } from '#web/ui/controls/select.tsx';
import { Loading, Skeleton } from '#web/ui/display/skeleton.tsx';
import { daysInPeriod } from '../period.ts';
import { SPENDING_GROUPS, type SpendingGroup } from '#contract/money/ledger.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { SpendChart } from './spend-chart.tsx';
import { buildSpendChart, mergeSeries, type SpendingSeries } from './spend-chart-data.ts';
import { Refreshing } from '#web/ui/display/refreshing.tsx';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '#web/ui/formats.ts';
import { Money } from '#web/api/money.tsx';
import { formatUsd } from '#contract/money/money.ts';
import { toLedgerSearch, useDimensionOptions } from '../report-dimensions.ts';

interface SpendingCardProps {
  by: SpendingGroup;
  period: { from: string; to: string };
  onChange: (by: SpendingGroup) => void;
}

const toPeriodQuery = ({ from, to }: SpendingCardProps['period']) => ({
  from: startOfUtcDay(from)?.toISOString(),
  to: startOfUtcDay(to, 1)?.toISOString(),
});

/** Daily spending by task, model, person, key or tag. */
export function SpendingCard({ by, period, onChange }: SpendingCardProps) {
  const names = useCatalogNames();
  const groups = useDimensionOptions(SPENDING_GROUPS);
  const spending = useQuery(spendingQuery({ by, ...toPeriodQuery(period) }));
  const { data: cells, isPlaceholderData } = spending;
  const { from, to } = period;
  const data = useMemo(() => {
    const named = cells?.data.map((cell) => ({ ...cell, name: (cell.id && names.find(cell.id)) || cell.name }));
    return named && buildSpendChart(named, daysInPeriod({ from, to }));
  }, [cells, names, from, to]);
  return (
    <Card
      title="Daily spending"
      description="Charges minus refunds, by UTC day."
      actions={<Select aria-label="Group by" className="w-36" value={by} options={groups} onChange={onChange} />}
      footer={
        data && data.count > 0 ? (
          <Link
            to="/billing"
            search={{ part: 'report', rows: data.byMonth ? 'month' : 'day', columns: by, ...period }}
            className="text-sm underline underline-offset-2"
          >
            View as table
          </Link>
        ) : null
      }
    >
      {data ? (
        <Refreshing active={isPlaceholderData}>
          <SpendChart key={`${from}${to}`} data={data} />
          {data.allSeries.length > 0 ? (
            <TopSpendingList by={cells?.by ?? by} series={data.allSeries} period={period} />
          ) : null}
        </Refreshing>
      ) : (
        <LoadingOrError query={spending} what="Spending">
          <Loading label="Loading spending">
            <Skeleton className="h-6 w-28" />
            <Skeleton className="mt-12 h-44 w-full" />
          </Loading>
        </LoadingOrError>
      )}
    </Card>
  );
}

const MAX_ROWS = 8;

interface TopSpendingListProps {
  by: SpendingGroup;
  series: readonly SpendingSeries[];
  period: { from: string; to: string };
}

function TopSpendingList({ by, series, period }: TopSpendingListProps) {
  const rest = series.length > MAX_ROWS ? series.slice(MAX_ROWS - 1) : [];
  const top = rest.length > 0 ? [...series.slice(0, MAX_ROWS - 1), mergeSeries(rest)] : series;
  const highest = Number(top[0]?.totalMicroUsd ?? 1n) || 1;
  return (
    <ol aria-label={`Top spending by ${by}`} className="mt-5 border-t border-line text-sm">
      {top.map(({ id, name, totalMicroUsd, count }) => {
        const filter = id === undefined ? null : toLedgerSearch(by, id);
        return (
          <li
            key={id === undefined ? 'other' : (id ?? '')}
            className="relative grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b border-line py-2"
          >
            <span className="min-w-0 truncate">
              {filter ? (
                <Link
                  to="/billing"
                  search={{ part: 'ledger', ...period, ...filter }}
                  className="underline-offset-2 after:absolute after:inset-0 hover:underline"
                >
                  {name}
                </Link>
              ) : (
                name
              )}
              <span className="text-ink-3"> · {formatNumber(count)}</span>
            </span>
            <Money amount_usd={formatUsd(totalMicroUsd)} />
            <span
              aria-hidden="true"
              data-meter=""
              className="col-span-2 mt-1 h-1 rounded-xs bg-hover forced-colors:h-2"
            >
              <span
                style={{ width: `${Math.max(0, (Number(totalMicroUsd) / highest) * 100)}%` }}
                className="block h-full rounded-xs bg-edge"
              />
            </span>
          </li>
        );
      })}
    </ol>
  );
}
