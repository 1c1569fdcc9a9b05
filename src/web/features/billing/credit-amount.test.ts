import { expect, it } from 'vitest';
import { readAmount } from './credit-amount.ts';

it.each([
  ['25', '25'],
  [' $1,000.50 ', '1000.50'],
  ['−3.50', '-3.50'],
  ['-$3', '-3'],
])('reads %s', (typed, amount) => {
  expect(readAmount(typed)).toBe(amount);
});

it.each(['', '0', '0.00', '1.2345678', 'ten', '1e3', '--1', '10000000000'])('refuses “%s”', (typed) => {
  expect(readAmount(typed)).toBeNull();
});
