import { expect, it } from 'vitest';
import { describePlan } from './migrate-command.ts';

it('prints a line for each migration and names the locked tables', () => {
  const pending = [
    { tag: '0001_a', changes: ['creates table b', 'adds 1 column to c'], locked: ['c'], read_only: ['d'] },
    { tag: '0002_b', changes: ['adds 1 index to b'], locked: [], read_only: ['b', 'c'] },
  ];
  const sizes = new Map([
    ['c', { size: '12 MB', row_count: 1_234_567 }],
    ['d', { size: '8 kB', row_count: null }],
  ]);
  expect(describePlan({ pending, sizes })).toEqual([
    '2 migrations are pending:',
    '0001_a: creates table b, adds 1 column to c',
    '0002_b: adds 1 index to b',
    'Not readable meanwhile: c (about 1,234,567 rows, 12 MB)',
    'Not writable meanwhile: d (8 kB)',
    'All are applied in one transaction: if one fails, the database stays as it is.',
  ]);
});
