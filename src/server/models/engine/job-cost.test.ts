import { glob, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { dollarsToBill, parseDecimal, toBill, toUpstreamCost } from './job-cost.ts';
import { computeTokenCost } from './token-cost.ts';

const UNREADABLE = [1e13, 1e16, 2 ** 53 + 2, 1e300, 1.7e308, -5, Number.NaN, Number.POSITIVE_INFINITY];

it.each(UNREADABLE)('reads no bill of %d', (amount) => {
  expect(dollarsToBill(amount)).toBe('unreadable');
  expect(toBill(amount)).toBe('unreadable');
  expect(computeTokenCost([{ tokens: amount, usd_per_million: 30 }])).toBe('unreadable');
  expect(toUpstreamCost(dollarsToBill(amount), 'reported')).toEqual({ cost_micro_usd: null, cost_basis: 'unreadable' });
});

it('reads a negative count of tokens beside a larger one as no bill', () => {
  const charges = [-5, 1_000].map((tokens) => ({ tokens, usd_per_million: 1 }));
  expect(computeTokenCost(charges)).toBe('unreadable');
});

it.each([
  ['0.05', 50_000n],
  ['1e-2', 10_000n],
  ['0', 0n],
  ['1000000', 1_000_000_000_000n],
])('reads %s dollars', (text, bill) => {
  expect(dollarsToBill(parseDecimal(text))).toBe(bill);
});

it.each(['', ' ', '0x10', '-5', '+5', 'NaN', 'Infinity', '1_000', '１０', '1e9999'])(
  'reads no number in %j',
  (text) => {
    expect(dollarsToBill(parseDecimal(text))).toBe('unreadable');
  },
);

it('converts numbers to amounts in one place, which bounds them', async () => {
  const own = [];
  for await (const file of glob('src/**/*.{ts,tsx}'))
    if (!/\.test\.tsx?$|\/testing\//.test(file) && /BigInt\(\s*Math\./.test(await readFile(file, 'utf8')))
      own.push(file);
  expect(own).toEqual(['src/contract/money/money.ts']);
});
