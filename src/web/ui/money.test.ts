import { expect, test } from 'vitest';
import { formatMoney } from '#web/ui/money.tsx';

test.each([
  ['0.03', '$0.03'],
  ['0.004745', '$0.004745'],
  ['-0.345', '−$0.345'],
  ['1234.5', '$1,234.50'],
  ['1234567', '$1,234,567.00'],
  ['0.00', '$0.00'],
])('%s dollars read as %s', (amount, words) => {
  expect(formatMoney(amount)).toBe(words);
});

test('a signed amount says plus, but zero does not', () => {
  expect(formatMoney('8.00', { signed: true })).toBe('+$8.00');
  expect(formatMoney('0.00', { signed: true })).toBe('$0.00');
  expect(formatMoney('-8.00', { signed: true })).toBe('−$8.00');
});

test('what is not an amount is shown as it came', () => {
  expect(formatMoney('n/a')).toBe('n/a');
});
