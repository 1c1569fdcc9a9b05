import { expect, it } from 'vitest';
import { formatDuration, formatList, formatNumber, formatOrList } from './formats.ts';

const VALUES = [
  0, 7, 999, 1_000, 12_345, 999_999, 1_000_000, 2_147_483_647, -1_234, 0.5, -0.25, 1_234.5, 3.14159, 9.9996, -0.0625,
  133_969_114_326_767,
];

it('formats numbers like Intl', () => {
  expect(VALUES.map(formatNumber)).toEqual(VALUES.map((value) => value.toLocaleString('en-US')));
});

const LISTS = [[], ['one'], ['one', 'two'], ['one', 'two', 'three'], ['one', 'two', 'three', 'four']];

it('joins words like Intl', () => {
  expect(LISTS.map(formatList)).toEqual(LISTS.map((words) => new Intl.ListFormat('en-GB').format(words)));
  const either = new Intl.ListFormat('en-GB', { type: 'disjunction' });
  expect(LISTS.map(formatOrList)).toEqual(LISTS.map((words) => either.format(words)));
});

const start = '2026-01-01T00:00:00.000Z';

it.each([
  ['2026-01-01T00:00:00.420Z', '0.4 s'],
  ['2026-01-01T00:00:12.400Z', '12 s'],
  ['2026-01-01T00:03:00.000Z', '3 min'],
  ['2026-01-01T00:03:20.000Z', '3 min 20 s'],
  ['2026-01-01T02:05:00.000Z', '2 h 5 min'],
])('formats the time until %s', (end, text) => {
  expect(formatDuration(start, end)).toBe(text);
});

it('returns null where an end is missing', () => {
  expect(formatDuration(null, start)).toBeNull();
  expect(formatDuration(start, null)).toBeNull();
});
