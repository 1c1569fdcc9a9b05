import { formatUsd, parseUsd } from '#contract/money.ts';
import { distinctNames } from '#web/queries/key-labels.ts';

/** A day's spending on one task, model or key, as the service says it. */
export interface SpendingCell {
  date: string;
  id: string | null;
  name: string;
  amount_usd: string;
  count: number;
}

/** Something that was spent on: the largest ones, and all others together. */
export interface Series {
  /** null: without a model. undefined: all others together. */
  id: string | null | undefined;
  name: string;
  total_micro_usd: bigint;
  count: number;
}

/** A bar: a day, or a month where there are many days. */
export interface Bar {
  from: string;
  to: string;
  total_micro_usd: bigint;
  count: number;
  /** In the order of the series. */
  parts_micro_usd: bigint[];
}

export interface SpendChartData {
  /** Largest first. */
  series: Series[];
  /** Every one, largest first. */
  all: Series[];
  bars: Bar[];
  by_month: boolean;
  total_micro_usd: bigint;
  count: number;
}

const MOST_SERIES = 5;
/** More days than this are shown by month. */
const MOST_DAYS = 92;

const keyOf = (id: string | null | undefined) => id ?? '';
const larger = (a: Series, b: Series) => (a.total_micro_usd > b.total_micro_usd ? -1 : 1);

function sumUp(cells: readonly SpendingCell[]): Series[] {
  const sums = new Map<string, Series>();
  for (const { id, name, amount_usd, count } of cells) {
    const sum = sums.get(keyOf(id)) ?? { id, name, total_micro_usd: 0n, count: 0 };
    sum.total_micro_usd += parseUsd(amount_usd);
    sum.count += count;
    sums.set(keyOf(id), sum);
  }
  return distinctNames([...sums.values()].toSorted(larger));
}

const together = (series: readonly Series[]): Series => ({
  id: undefined,
  name: 'All others',
  total_micro_usd: series.reduce((sum, { total_micro_usd }) => sum + total_micro_usd, 0n),
  count: series.reduce((sum, { count }) => sum + count, 0),
});

/**
 * Spending as stacked bars, exact to the micro-dollar.
 * @param days every day of the period, oldest first
 */
export function spendChart(cells: readonly SpendingCell[], days: readonly string[]): SpendChartData {
  const all = sumUp(cells);
  const rest = all.length > MOST_SERIES + 1 ? all.slice(MOST_SERIES) : [];
  const series = rest.length > 0 ? [...all.slice(0, MOST_SERIES), together(rest)] : all;
  const position = new Map(all.map(({ id }, at) => [keyOf(id), Math.min(at, series.length - 1)]));
  const by_month = days.length > MOST_DAYS;
  const spanOf = (day: string) => (by_month ? day.slice(0, 7) : day);
  const bars = new Map<string, Bar>();
  for (const day of days) {
    const bar = bars.get(spanOf(day));
    if (bar) bar.to = day;
    else {
      const parts_micro_usd = series.map(() => 0n);
      bars.set(spanOf(day), { from: day, to: day, total_micro_usd: 0n, count: 0, parts_micro_usd });
    }
  }
  for (const { date, id, amount_usd, count } of cells) {
    const bar = bars.get(spanOf(date));
    const at = position.get(keyOf(id));
    if (!bar || at === undefined) continue;
    const amount = parseUsd(amount_usd);
    bar.total_micro_usd += amount;
    bar.count += count;
    bar.parts_micro_usd[at] = (bar.parts_micro_usd[at] ?? 0n) + amount;
  }
  return { series, all, bars: [...bars.values()], by_month, ...totals(all) };
}

const totals = (all: readonly Series[]) => {
  const { total_micro_usd, count } = together(all);
  return { total_micro_usd, count };
};

const MICRO = 1_000_000;

/** Where lines are drawn behind the bars: three or so round amounts, the last one not below the highest bar. */
export function gridLines(bars: readonly Bar[]): number[] {
  const highest = Math.max(0, ...bars.map(({ total_micro_usd }) => Number(total_micro_usd)));
  if (highest === 0) return [MICRO];
  const rough = highest / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, Math.round(([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power));
  return Array.from({ length: Math.ceil(highest / step) }, (_, at) => (at + 1) * step);
}

export const moneyOf = (micro_usd: bigint): string => formatUsd(micro_usd);
