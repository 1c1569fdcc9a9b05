import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoney, formatMoneyToCent, formatUsd, multiplyPrice, parseUsd } from './money.ts';

describe('money on the wire', () => {
  test.each([
    [30_000n, '0.03'],
    [345_000n, '0.345'],
    [4_745n, '0.004745'],
    [8_000_000n, '8.00'],
    [-345_000n, '-0.345'],
    [0n, '0.00'],
    [100_000n, '0.10'],
    [1_234_567_890_123_456_789n, '1234567890123.456789'],
  ])('formats %s micro-dollars as %s', (microUsd, text) => {
    expect(formatUsd(microUsd)).toBe(text);
  });

  test('formatted amounts parse to the same value', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 17n), 10n ** 17n), (microUsd) => {
        expect(parseUsd(formatUsd(microUsd))).toBe(microUsd);
      }),
    );
  });

  test.each(['', '1.', '.5', '1e3', '1.0000001', '--1', '١', ' 1', '0x1'])('rejects %j', (text) => {
    expect(() => parseUsd(text)).toThrow(RangeError);
  });

  test('products are rounded half up', () => {
    expect(multiplyPrice(1n, 500_000n)).toBe(1n);
    expect(multiplyPrice(1n, 499_999n)).toBe(0n);
    expect(multiplyPrice(57_500n, 4_000_000n)).toBe(230_000n);
  });
});

describe('money for people', () => {
  test.each([
    ['0.03', '$0.03'],
    ['0.004745', '$0.004745'],
    ['-0.345', '−$0.345'],
    ['1234.5', '$1,234.50'],
    ['1234567', '$1,234,567.00'],
    ['0.00', '$0.00'],
    ['n/a', 'n/a'],
  ])('formats %s dollars as %s', (amount_usd, text) => {
    expect(formatMoney(amount_usd)).toBe(text);
  });

  test('formats micro-dollars like the decimal dollars of the API', () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 17n), 10n ** 17n), (microUsd) => {
        expect(formatMoney(microUsd)).toBe(formatMoney(formatUsd(microUsd)));
      }),
    );
  });

  test('cuts a balance to the cent, never to more than there is', () => {
    expect(['99.013336', '99.019999', '99.00', '0.009999', '-0.000001'].map(formatMoneyToCent)).toEqual([
      '$99.01',
      '$99.01',
      '$99.00',
      '$0.00',
      '−$0.01',
    ]);
  });

  test('signs amounts other than zero when asked to', () => {
    expect(formatMoney('8.00', { signed: true })).toBe('+$8.00');
    expect(formatMoney('0.00', { signed: true })).toBe('$0.00');
    expect(formatMoney('-8.00', { signed: true })).toBe('−$8.00');
  });
});
