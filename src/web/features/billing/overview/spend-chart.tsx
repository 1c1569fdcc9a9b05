import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { formatMoney } from '#contract/money/money.ts';
import { cx } from '#web/ui/cx.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { formatUtcDay } from '../period.ts';
import { type SpendingBar, chartGridLines, type SpendChartData } from './spend-chart-data.ts';

const SERIES_STYLE_COUNT = 6;

/** A color with a pattern, defined in tokens.css and forced-colors.css. */
const seriesBackground = (at: number): string => `var(--series-${(at % SERIES_STYLE_COUNT) + 1})`;

export const formatBarPeriod = (bar: SpendingBar) =>
  bar.from === bar.to ? formatUtcDay(bar.from) : `${formatUtcDay(bar.from)} – ${formatUtcDay(bar.to)}`;

const formatChargeCount = (count: number) => `${formatNumber(count)} ${count === 1 ? 'charge' : 'charges'}`;

/** Stacked bars of spending. The chart is one Tab stop: arrows, Home and End move between bars, Enter opens the ledger. */
export function SpendChart({ data }: { data: SpendChartData }) {
  const { bars, series } = data;
  const navigate = useNavigate();
  const [current, setCurrent] = useState<number | null>(null);
  const [stop, setStop] = useState(bars.length - 1);
  const lines = chartGridLines(bars);
  const top = lines.at(-1) ?? 1;
  const reachable = Math.min(stop, bars.length - 1);
  const open = ({ from, to }: SpendingBar) => void navigate({ to: '/billing', search: { part: 'ledger', from, to } });
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const steps: Record<string, number> = {
      ArrowRight: reachable + 1,
      ArrowLeft: reachable - 1,
      Home: 0,
      End: bars.length - 1,
    };
    const next = steps[event.key];
    if (next === undefined || next < 0 || next >= bars.length) return;
    event.preventDefault();
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div>
      <Readout data={data} bar={current === null ? null : (bars[current] ?? null)} />
      <div className="relative h-44">
        {lines.map((line) => (
          <div
            key={line}
            aria-hidden="true"
            style={{ bottom: `${(line / top) * 100}%` }}
            className="absolute inset-x-0 border-t border-line"
          >
            <span className="absolute -top-px left-0 bg-surface pr-1.5 text-2xs text-ink-3 tabular-nums">
              {formatMoney(BigInt(line))}
            </span>
          </div>
        ))}
        {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- arrows move the focus among its buttons */}
        <div
          role="toolbar"
          aria-label={`Spending by ${data.byMonth ? 'month' : 'day'}`}
          className="absolute inset-y-0 right-0 left-14 flex items-stretch border-b border-line-strong"
          onKeyDown={onKeyDown}
          onPointerLeave={() => setCurrent(null)}
          onBlur={() => setCurrent(null)}
        >
          {bars.map((bar, at) => (
            <button
              key={bar.from}
              type="button"
              tabIndex={at === reachable ? 0 : -1}
              aria-label={`${formatBarPeriod(bar)}: ${formatMoney(bar.totalMicroUsd)}, ${formatChargeCount(bar.count)}. View entries.`}
              onClick={() => open(bar)}
              onPointerEnter={() => setCurrent(at)}
              onFocus={() => {
                setStop(at);
                setCurrent(at);
              }}
              className="flex h-full min-w-0 flex-1 flex-col-reverse items-center -outline-offset-1 hover:bg-hover focus-visible:bg-hover"
            >
              {bar.partsMicroUsd.map((part, index) =>
                part > 0n ? (
                  <span
                    key={series[index]?.id ?? `other-${index}`}
                    data-series=""
                    style={{ height: `${(Number(part) / top) * 100}%`, background: seriesBackground(index) }}
                    className="block min-h-0.5 w-3/4 flex-none border-t border-surface"
                  />
                ) : null,
              )}
            </button>
          ))}
        </div>
      </div>
      <p aria-hidden="true" className="mt-1 flex justify-between pl-14 text-xs text-ink-3">
        <span>{bars[0] ? formatUtcDay(bars[0].from) : ''}</span>
        <span>{bars.length > 1 ? formatUtcDay(bars.at(-1)?.to ?? '') : ''}</span>
      </p>
    </div>
  );
}

function Readout({ data, bar }: { data: SpendChartData; bar: SpendingBar | null }) {
  const total = bar ?? data;
  return (
    <div className="mb-3 min-h-19">
      <p className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
        <span className="text-lg font-semibold">{formatMoney(total.totalMicroUsd)}</span>
        <span className="text-sm text-ink-2">
          {bar ? formatBarPeriod(bar) : 'total'} · {formatChargeCount(total.count)}
        </span>
      </p>
      <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-2">
        {data.series.map(({ id, name, totalMicroUsd }, at) => {
          const amount = bar ? (bar.partsMicroUsd[at] ?? 0n) : totalMicroUsd;
          return (
            <li key={id ?? `other-${at}`} className={cx('flex items-center gap-1.5', amount === 0n && 'text-ink-3')}>
              <span
                aria-hidden="true"
                data-series=""
                style={{ background: seriesBackground(at) }}
                className="size-2.5 flex-none rounded-xs"
              />
              <bdi>{name}</bdi> <span className="tabular-nums">{formatMoney(amount)}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
