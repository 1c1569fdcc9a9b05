import { expect, it } from 'vitest';
import { formatNumber } from '#web/ui/formats.ts';

const VALUES = [
  0, 7, 999, 1_000, 12_345, 999_999, 1_000_000, 2_147_483_647, -1_234, 0.5, -0.25, 1_234.5, 3.14159, 9.9996,
];

it('writes numbers as Intl does', () => {
  expect(VALUES.map(formatNumber)).toEqual(VALUES.map((value) => value.toLocaleString('en-US')));
});
