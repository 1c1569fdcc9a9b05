import { expect, it } from 'vitest';
import { alignMoney } from './money.tsx';

const SOURCES = import.meta.glob<string>(['/src/**/*.{ts,tsx}', '!**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
/** A dollar sign before a value, a format for currencies, or a rounding option. */
const OTHER_FORMATS = [/(?<![\w$])\$\$\{/, />\s*\$\{[^}]*_usd/, /style: 'currency'/, /'\$' \+/, /\bcents[=:] ?['"]/];

it('formats money in one place', () => {
  const files = Object.entries(SOURCES);
  expect(files.length).toBeGreaterThan(1000);
  const others = files.filter(([, source]) => OTHER_FORMATS.some((format) => format.test(source)));
  expect(others.map(([file]) => file)).toEqual(['/src/contract/money/money.ts']);
});

it('pads amounts so that the points of a column line up', () => {
  const column = ['0.82696', '0.980685', '0.00', '-1234.5'].map((amount_usd) => alignMoney(amount_usd));
  expect(column.map((text) => text.length - text.indexOf('.'))).toEqual([7, 7, 7, 7]);
  expect(column.map((text) => text.trimEnd())).toEqual(['$0.82696', '$0.980685', '$0.00', '−$1,234.50']);
});
