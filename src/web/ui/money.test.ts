import { expect, test } from 'vitest';
import { alignMoney, formatMoney } from './money.tsx';

test.each([
  ['0.03', '$0.03'],
  ['0.004745', '$0.004745'],
  ['-0.345', '−$0.345'],
  ['1234.5', '$1,234.50'],
  ['1234567', '$1,234,567.00'],
  ['0.00', '$0.00'],
])('formats %s dollars as %s', (amount_usd, text) => {
  expect(formatMoney(amount_usd)).toBe(text);
});

test('signs amounts other than zero when asked to', () => {
  expect(formatMoney('8.00', { signed: true })).toBe('+$8.00');
  expect(formatMoney('0.00', { signed: true })).toBe('$0.00');
  expect(formatMoney('-8.00', { signed: true })).toBe('−$8.00');
});

test.each([
  ['0.539864', '$0.54', '$0.53', '$0.54'],
  ['0.004745', '$0.01', '$0.00', '<$0.01'],
  ['0.005', '$0.01', '$0.00', '$0.01'],
  ['199.755391', '$199.76', '$199.75', '$199.76'],
  ['0.14', '$0.14', '$0.14', '$0.14'],
  ['0.00', '$0.00', '$0.00', '$0.00'],
  ['999.999999', '$1,000.00', '$999.99', '$1,000.00'],
  ['-0.345', '−$0.34', '−$0.35', '−$0.34'],
  ['-0.001', '$0.00', '−$0.01', '<−$0.01'],
])('rounds %s to cents as %s up, %s down, %s to the nearest', (amount_usd, up, down, nearest) => {
  expect(formatMoney(amount_usd, { cents: 'up' })).toBe(up);
  expect(formatMoney(amount_usd, { cents: 'down' })).toBe(down);
  expect(formatMoney(amount_usd, { cents: 'nearest' })).toBe(nearest);
});

test('pads amounts so that the points of a column line up', () => {
  const column = ['0.82696', '0.980685', '0.00', '-1234.5'].map((amount_usd) => alignMoney(amount_usd));
  expect(column.map((text) => text.length - text.indexOf('.'))).toEqual([7, 7, 7, 7]);
  expect(column.map((text) => text.trimEnd())).toEqual(['$0.82696', '$0.980685', '$0.00', '−$1,234.50']);
});

test('returns a text that is not an amount unchanged', () => {
  expect(formatMoney('n/a')).toBe('n/a');
  expect(formatMoney('n/a', { cents: 'up' })).toBe('n/a');
});
