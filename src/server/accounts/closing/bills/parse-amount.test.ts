import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatNano } from '#contract/money/money.ts';
import { guessDecimal, parseAmount, toUsd } from './parse-amount.ts';

it.each([
  ['1204', '.', '1204.00', null],
  ['1,204', '.', '1204.00', null],
  ['1.204', '.', '1.204', null],
  ['1.204', ',', '1204.00', null],
  ['1.204,5', ',', '1204.50', null],
  ['1 204 567,5', ',', '1204567.50', null],
  ['1’204.50', '.', '1204.50', null],
  ['-5,00', ',', '-5.00', null],
  ['5,00-', ',', '-5.00', null],
  ['−0.5', '.', '-0.50', null],
  ['(0.25)', '.', '-0.25', null],
  ['$1.5', '.', '1.50', 'USD'],
  ['-$1.5', '.', '-1.50', 'USD'],
  ['12,50 €', ',', '12.50', 'EUR'],
  ['CHF 3', '.', '3.00', 'CHF'],
  ['.5', '.', '0.50', null],
  ['2.5e-8', '.', '0.000000025', null],
  ['0.0000000005', '.', '0.000000001', null],
] as const)('reads %s with a decimal %s as %s %s', (cell, decimal, amount, currency) => {
  const parsed = parseAmount(cell, decimal);
  expect(parsed && [formatNano(parsed.nano), parsed.currency]).toEqual([amount, currency]);
});

it.each(['', '-', '.', '1.2.3', '1,20', '12,34,567', '=1', '1 2', '0x10', '1e99', 'NaN', '١', '--1', '1'.repeat(61)])(
  'does not take %s for an amount with a decimal point',
  (cell) => {
    expect(parseAmount(cell, '.')).toBeNull();
  },
);

it('guesses the mark by which more amounts can be read', () => {
  expect(guessDecimal(['0,63', '1.204', '33,71'], ';')).toBe(',');
  expect(guessDecimal(['0.63', '1,204'], ',')).toBe('.');
  expect(guessDecimal(['1,204'], ';')).toBe(',');
  expect(guessDecimal([], ';')).toBe('.');
});

it('converts every amount like its opposite', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 18n), 10n ** 18n), fc.bigInt(1n, 10n ** 12n), (nano, rate) => {
      expect(toUsd(-nano, rate)).toBe(-toUsd(nano, rate));
    }),
  );
  expect(toUsd(333_333_333n, 1_084_500_000n)).toBe(361_500_000n);
});
