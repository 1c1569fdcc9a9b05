import { expect, it } from 'vitest';
import { addMonths, monthsBetween } from './months.ts';

it('crosses the end of a year in both directions', () => {
  expect([addMonths('2026-11', 2), addMonths('2027-01', -1), addMonths('2026-03', -24)]).toEqual([
    '2027-01',
    '2026-12',
    '2024-03',
  ]);
});

it('lists every month once, up to 20 years', () => {
  expect(monthsBetween('2026-11', '2027-01')).toEqual(['2026-11', '2026-12', '2027-01']);
  expect(monthsBetween('2026-11', '2026-11')).toEqual(['2026-11']);
  const long = monthsBetween('0001-01', '2026-11');
  expect([long.length, long.at(-1)]).toEqual([240, '2026-11']);
});
