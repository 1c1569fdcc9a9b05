import { parseUsd } from '#contract/money/money.ts';
import { disambiguateNames } from '#web/api/queries/key-labels.ts';

interface DailySpending {
  date: string;
  id: string | null;
  name: string;
  amount_usd: string;
  count: number;
}

/** Spending on one task, model or key, or on all that are not among the largest. */
export interface SpendingSeries {
  /** null: tasks without a model. undefined: the series that merges the rest. */
  id: string | null | undefined;
  name: string;
  totalMicroUsd: bigint;
  count: number;
}

/** A bar of the chart: a day, or a month in long periods. */
export interface SpendingBar {
  from: string;
  to: string;
  totalMicroUsd: bigint;
  count: number;
  partsMicroUsd: bigint[];
}

export interface SpendChartData {
  /** Largest first, with the rest merged. */
  series: SpendingSeries[];
  /** Largest first, nothing merged. */
  allSeries: SpendingSeries[];
  bars: SpendingBar[];
  byMonth: boolean;
  totalMicroUsd: bigint;
  count: number;
}

const MAX_SERIES = 5;
const MAX_DAILY_BARS = 92;

const seriesKey = (id: string | null | undefined) => id ?? '';
const compareByAmount = (a: SpendingSeries, b: SpendingSeries) => (a.totalMicroUsd > b.totalMicroUsd ? -1 : 1);

function sumBySeries(cells: readonly DailySpending[]): SpendingSeries[] {
  const sums = new Map<string, SpendingSeries>();
  for (const { id, name, amount_usd, count } of cells) {
    const sum = sums.get(seriesKey(id)) ?? { id, name, totalMicroUsd: 0n, count: 0 };
    sum.totalMicroUsd += parseUsd(amount_usd);
    sum.count += count;
    sums.set(seriesKey(id), sum);
  }
  return disambiguateNames([...sums.values()].toSorted(compareByAmount));
}

export const mergeSeries = (series: readonly SpendingSeries[]): SpendingSeries => ({
  id: undefined,
  name: 'Other',
  totalMicroUsd: series.reduce((sum, { totalMicroUsd }) => sum + totalMicroUsd, 0n),
  count: series.reduce((sum, { count }) => sum + count, 0),
});

/**
 * Builds stacked bars that are exact to the micro-dollar.
 * @param days every day of the period, oldest first
 */
export function buildSpendChart(cells: readonly DailySpending[], days: readonly string[]): SpendChartData {
  const all = sumBySeries(cells);
  const rest = all.length > MAX_SERIES + 1 ? all.slice(MAX_SERIES) : [];
  const series = rest.length > 0 ? [...all.slice(0, MAX_SERIES), mergeSeries(rest)] : all;
  const position = new Map(all.map(({ id }, at) => [seriesKey(id), Math.min(at, series.length - 1)]));
  const byMonth = days.length > MAX_DAILY_BARS;
  const spanOf = (day: string) => (byMonth ? day.slice(0, 7) : day);
  const bars = new Map<string, SpendingBar>();
  for (const day of days) {
    const bar = bars.get(spanOf(day));
    if (bar) bar.to = day;
    else {
      const partsMicroUsd = series.map(() => 0n);
      bars.set(spanOf(day), { from: day, to: day, totalMicroUsd: 0n, count: 0, partsMicroUsd });
    }
  }
  for (const { date, id, amount_usd, count } of cells) {
    const bar = bars.get(spanOf(date));
    const at = position.get(seriesKey(id));
    if (!bar || at === undefined) continue;
    const amount = parseUsd(amount_usd);
    bar.totalMicroUsd += amount;
    bar.count += count;
    bar.partsMicroUsd[at] = (bar.partsMicroUsd[at] ?? 0n) + amount;
  }
  return { series, allSeries: all, bars: [...bars.values()], byMonth, ...totals(all) };
}

const totals = (all: readonly SpendingSeries[]) => {
  const { totalMicroUsd, count } = mergeSeries(all);
  return { totalMicroUsd, count };
};

const MICRO = 1_000_000;

/** Returns about three round amounts in micro-dollars for grid lines, the last one at or above the highest bar. */
export function chartGridLines(bars: readonly SpendingBar[]): number[] {
  const highest = Math.max(0, ...bars.map(({ totalMicroUsd }) => Number(totalMicroUsd)));
  if (highest === 0) return [MICRO];
  const rough = highest / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, Math.round(([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power));
  return Array.from({ length: Math.ceil(highest / step) }, (_, at) => (at + 1) * step);
}
