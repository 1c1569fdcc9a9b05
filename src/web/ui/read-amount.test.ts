import { expect, it } from 'vitest';
import { readAmount } from './read-amount.ts';

it.each([
  ['25', '25'],
  [' $1,000.50 ', '1000.50'],
  ['1 000', '1000'],
])('reads %s', (typed, amount) => {
  expect(readAmount(typed)).toBe(amount);
});

it.each(['', '0', '0.00', '1.2345678', 'ten', '1e3', '-3', '−3.50', '10000000000'])('refuses “%s”', (typed) => {
  expect(readAmount(typed)).toBeNull();
});

it.each([
  ['−3.50', '-3.50'],
  ['-$3', '-3'],
  ['--1', null],
  ['-0', null],
])('reads %s where money may be taken', (typed, amount) => {
  expect(readAmount(typed, { signed: true })).toBe(amount);
});

it('takes nothing for an amount where that is asked', () => {
  expect(readAmount('0.00', { zero: true })).toBe('0.00');
  expect(readAmount('', { zero: true })).toBeNull();
});
