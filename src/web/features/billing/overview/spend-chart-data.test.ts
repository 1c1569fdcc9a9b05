import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import { daysInPeriod } from '../period.ts';
import { chartGridLines, buildSpendChart } from './spend-chart-data.ts';

const cell = (date: string, id: string | null, amount_usd: string, count = 1) => ({
  date,
  id,
  name: id ?? 'None',
  amount_usd,
  count,
});

it('stacks days by series, largest first, and keeps empty days', () => {
  const days = daysInPeriod({ from: '2026-02-01', to: '2026-02-03' });
  const chart = buildSpendChart(
    [cell('2026-02-01', 'a', '0.10'), cell('2026-02-01', 'b', '0.000001'), cell('2026-02-03', 'b', '3.00', 2)],
    days,
  );
  expect(chart.series.map(({ id, count }) => [id, count])).toEqual([
    ['b', 3],
    ['a', 1],
  ]);
  expect(chart.bars.map(({ from, partsMicroUsd }) => [from, partsMicroUsd])).toEqual([
    ['2026-02-01', [1n, 100_000n]],
    ['2026-02-02', [0n, 0n]],
    ['2026-02-03', [3_000_000n, 0n]],
  ]);
});

it('groups long periods by month, from the first day to the last', () => {
  const { bars, byMonth } = buildSpendChart([], daysInPeriod({ from: '2026-01-15', to: '2026-06-10' }));
  expect(byMonth).toBe(true);
  expect(bars.at(0)).toMatchObject({ from: '2026-01-15', to: '2026-01-31' });
  expect(bars.at(-1)).toMatchObject({ from: '2026-06-01', to: '2026-06-10' });
});

it('keeps totals exact for any number of series and days', () => {
  const days = daysInPeriod({ from: '2026-01-01', to: '2026-05-31' });
  const cells = fc.array(
    fc.record({ at: fc.nat(days.length - 1), id: fc.nat(11), microUsd: fc.bigInt(-(10n ** 12n), 10n ** 15n) }),
  );
  fc.assert(
    fc.property(cells, fc.boolean(), (random, short) => {
      const shown = short ? days.slice(0, 60) : days;
      const all = random
        .filter(({ at }) => at < shown.length)
        .map(({ at, id, microUsd }) => cell(shown[at] ?? '', `m${id}`, formatUsd(microUsd)));
      const chart = buildSpendChart(all, shown);
      const exact = all.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n);
      const sum = (amounts: bigint[]) => amounts.reduce((a, b) => a + b, 0n);
      expect(chart.totalMicroUsd).toBe(exact);
      expect(sum(chart.bars.map(({ totalMicroUsd }) => totalMicroUsd))).toBe(exact);
      expect(sum(chart.bars.flatMap(({ partsMicroUsd }) => partsMicroUsd))).toBe(exact);
      expect(sum(chart.series.map(({ totalMicroUsd }) => totalMicroUsd))).toBe(exact);
    }),
  );
});

it('puts grid lines at round amounts up to the highest bar', () => {
  const { bars } = buildSpendChart([cell('2026-02-01', 'a', '0.34')], ['2026-02-01']);
  expect(chartGridLines(bars)).toEqual([200_000, 400_000]);
});
