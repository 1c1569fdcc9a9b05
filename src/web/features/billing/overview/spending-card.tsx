import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryError } from '#web/api/api-errors.ts';
import { spendingQuery } from '#web/api/queries/billing.ts';
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
import { SpendChart, formatBarPeriod } from './spend-chart.tsx';
import { buildSpendChart, mergeSeries, type SpendingSeries, type SpendChartData } from './spend-chart-data.ts';
import { Refreshing } from '#web/ui/refreshing.tsx';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '#web/ui/formats.ts';
import { Money, alignMoney } from '#web/api/money.tsx';
import { formatUsd } from '#contract/money.ts';
import { toLedgerSearch } from '../spending-search.ts';

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
  const groups = useSpendingGroups();
  const spending = useQuery(spendingQuery({ by, ...toPeriodQuery(period) }));
  const { data: cells, isPlaceholderData } = spending;
  const { from, to } = period;
  const data = useMemo(() => {
    const named = cells?.data.map((cell) => ({ ...cell, name: (cell.id && names.find(cell.id)) || cell.name }));
    return named && buildSpendChart(named, daysInPeriod({ from, to }));
  }, [cells, names, from, to]);
  const problem = queryError(spending);
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
          {data.allSeries.length > 0 ? (
            <TopSpendingList by={cells?.by ?? by} series={data.allSeries} period={period} />
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

function SpendTable({ data: { bars, series, totalMicroUsd, count } }: { data: SpendChartData }) {
  const cell = 'border-b border-line px-2 py-1.5 text-right whitespace-nowrap';
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls has to take focus
    <section tabIndex={0} aria-label="Spending table" className="max-h-96 overflow-auto text-sm">
      <table className="w-full border-separate border-spacing-0 tabular-nums">
        <thead className="sticky top-0 bg-surface text-xs text-ink-3">
          <tr>
            <th scope="col" className="border-b border-line px-2 py-1.5 text-left font-medium">
              Day (UTC)
            </th>
            {series.map(({ id, name }, at) => (
              <th key={id ?? `other-${at}`} scope="col" className={`${cell} font-medium`}>
                {name}
              </th>
            ))}
            <th scope="col" className={`${cell} font-medium`}>
              Charges
            </th>
            <th scope="col" className={`${cell} font-medium`}>
              Total
            </th>
          </tr>
        </thead>
        <tbody>
          {bars
            .filter((bar) => bar.count > 0 || bar.totalMicroUsd !== 0n)
            .map((bar) => (
              <tr key={bar.from}>
                <th scope="row" className="border-b border-line px-2 py-1.5 text-left font-normal whitespace-nowrap">
                  <Link
                    to="/billing"
                    search={{ part: 'ledger', from: bar.from, to: bar.to }}
                    className="underline underline-offset-2"
                  >
                    {formatBarPeriod(bar)}
                  </Link>
                </th>
                {bar.partsMicroUsd.map((part, at) => (
                  <td key={series[at]?.id ?? `other-${at}`} className={cell}>
                    {alignMoney(part)}
                  </td>
                ))}
                <td className={cell}>{formatNumber(bar.count)}</td>
                <td className={`${cell} font-medium`}>{alignMoney(bar.totalMicroUsd)}</td>
              </tr>
            ))}
        </tbody>
        <tfoot>
          <tr className="font-medium">
            <th scope="row" className="px-2 py-1.5 text-left font-medium">
              Total
            </th>
            {series.map(({ id, totalMicroUsd: part }, at) => (
              <td key={id ?? `other-${at}`} className="px-2 py-1.5 text-right">
                {alignMoney(part)}
              </td>
            ))}
            <td className="px-2 py-1.5 text-right">{formatNumber(count)}</td>
            <td className="px-2 py-1.5 text-right">{alignMoney(totalMicroUsd)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
