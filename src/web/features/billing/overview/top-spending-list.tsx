import { Link } from '@tanstack/react-router';
import { formatNumber } from '#web/ui/formats.ts';
import { Money } from '#web/api/money.tsx';
import type { SpendingGroup } from '#contract/ledger.ts';
import { formatUsd } from '#contract/money.ts';
import { toLedgerSearch } from '../spending-search.ts';
import { mergeSeries, type SpendingSeries } from './spend-chart-data.ts';

const MAX_ROWS = 8;

interface TopSpendingListProps {
  by: SpendingGroup;
  series: readonly SpendingSeries[];
  period: { from: string; to: string };
}

export function TopSpendingList({ by, series, period }: TopSpendingListProps) {
  const rest = series.length > MAX_ROWS ? series.slice(MAX_ROWS - 1) : [];
  const top = rest.length > 0 ? [...series.slice(0, MAX_ROWS - 1), mergeSeries(rest)] : series;
  const highest = Number(top[0]?.total_micro_usd ?? 1n) || 1;
  return (
    <ol aria-label={`Top spending by ${by}`} className="mt-5 border-t border-line text-sm">
      {top.map(({ id, name, total_micro_usd, count }) => {
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
            <Money amount_usd={formatUsd(total_micro_usd)} />
            <span
              aria-hidden="true"
              data-meter=""
              className="col-span-2 mt-1 h-1 rounded-xs bg-hover forced-colors:h-2"
            >
              <span
                style={{ width: `${Math.max(0, (Number(total_micro_usd) / highest) * 100)}%` }}
                className="block h-full rounded-xs bg-edge"
              />
            </span>
          </li>
        );
      })}
    </ol>
  );
}
