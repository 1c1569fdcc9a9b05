import { expect, it } from 'vitest';
import { formatOrList, formatList, formatNumber } from './formats.ts';

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
