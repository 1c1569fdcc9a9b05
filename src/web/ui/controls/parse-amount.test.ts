import { describe, expect, it } from 'vitest';
import { parseAmount } from './parse-amount.ts';

describe('parseAmount', () => {
  it.each([
    ['25', '25'],
    ['3.50', '3.50'],
    ['$3.50', '3.50'],
    ['US$ 3.50', '3.50'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['007', '7'],
    ['1,000', '1000'],
    ['3,500', '3500'],
    [' $1,000.50 ', '1000.50'],
    ['1,234,567.000001', '1234567.000001'],
    ['1 000', '1000'],
    ['1\u202f234\u202f567.5', '1234567.5'],
    ['999,999,999', '999999999'],
    ['0.000001', '0.000001'],
  ])('reads %j as %s', (typed, amount) => {
    expect(parseAmount(typed)).toEqual({ amount, problem: null, suggestion: null });
  });

  it.each([
    ['3,50', '3.50'],
    ['3,5', '3.5'],
    ['$3,50', '3.50'],
    ['0,125', '0.125'],
    ['0,02', '0.02'],
    [',50', '0.50'],
    ['12,3456', '12.3456'],
    ['1000,50', '1000.50'],
    ['1.234,56', '1234.56'],
    ['1.234.567,8', '1234567.8'],
    ['1 234,56', '1234.56'],
  ])('rejects %j and suggests %s', (typed, suggestion) => {
    expect(parseAmount(typed)).toEqual({ amount: null, problem: 'Write cents after a point.', suggestion });
    expect(parseAmount(suggestion).amount).toBe(suggestion);
  });

  it.each([
    '1,00,000',
    '1,000,00',
    '1,23.45',
    '12,34,567',
    ',',
    '.',
    '1.2.3',
    '1,2345678',
    '0,00',
    '10 00',
    'ten',
    '1e3',
    '0x10',
    '٣',
    '3.50 EUR',
    '--1',
    '$',
    '',
  ])('rejects %j without a suggestion', (typed) => {
    expect(parseAmount(typed)).toMatchObject({ amount: null, suggestion: null, problem: expect.any(String) });
  });

  it.each([
    ['0', 'Enter an amount above zero.'],
    ['-3', 'Enter an amount above zero.'],
    ['1.2345678', 'Use at most 6 decimal places.'],
    ['10000000000', 'Enter an amount below 1,000,000,000.'],
    ['', 'Enter an amount such as 25 or 3.50.'],
  ])('names the problem of %j', (typed, problem) => {
    expect(parseAmount(typed)).toEqual({ amount: null, problem, suggestion: null });
  });

  it.each([
    ['−3.50', '-3.50'],
    ['–3.50', '-3.50'],
    ['-$3', '-3'],
    ['$-3', '-3'],
    ['-1,000', '-1000'],
  ])('reads %j as %s where amounts may be negative', (typed, amount) => {
    expect(parseAmount(typed, { signed: true }).amount).toBe(amount);
  });

  it('suggests a negative amount only where one is allowed', () => {
    expect(parseAmount('-86,00', { signed: true })).toMatchObject({ amount: null, suggestion: '-86.00' });
    expect(parseAmount('-86,00')).toMatchObject({ amount: null, suggestion: null });
    expect(parseAmount('-0', { signed: true })).toMatchObject({ amount: null, suggestion: null });
  });

  it('accepts zero where it is allowed, but not an empty text', () => {
    expect(parseAmount('-5', { zero: true }).problem).toBe('Enter $0 or more.');
    expect(parseAmount('0.00', { zero: true }).amount).toBe('0.00');
    expect(parseAmount('', { zero: true }).amount).toBeNull();
    expect(parseAmount('-0', { zero: true, signed: true }).amount).toBeNull();
  });
});
