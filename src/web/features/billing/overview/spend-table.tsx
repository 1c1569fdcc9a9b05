import { Link } from '@tanstack/react-router';
import { formatNumber } from '#web/ui/formats.ts';
import { alignMoney } from '#web/api/money.tsx';
import { formatBarPeriod } from './spend-chart.tsx';
import { type SpendChartData } from './spend-chart-data.ts';

export function SpendTable({ data: { bars, series, total_micro_usd, count } }: { data: SpendChartData }) {
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
            .filter((bar) => bar.count > 0 || bar.total_micro_usd !== 0n)
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
                {bar.parts_micro_usd.map((part, at) => (
                  <td key={series[at]?.id ?? `other-${at}`} className={cell}>
                    {alignMoney(part)}
                  </td>
                ))}
                <td className={cell}>{formatNumber(bar.count)}</td>
                <td className={`${cell} font-medium`}>{alignMoney(bar.total_micro_usd)}</td>
              </tr>
            ))}
        </tbody>
        <tfoot>
          <tr className="font-medium">
            <th scope="row" className="px-2 py-1.5 text-left font-medium">
              Total
            </th>
            {series.map(({ id, total_micro_usd: part }, at) => (
              <td key={id ?? `other-${at}`} className="px-2 py-1.5 text-right">
                {alignMoney(part)}
              </td>
            ))}
            <td className="px-2 py-1.5 text-right">{formatNumber(count)}</td>
            <td className="px-2 py-1.5 text-right">{alignMoney(total_micro_usd)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
