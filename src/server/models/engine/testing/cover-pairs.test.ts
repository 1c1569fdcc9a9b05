import { expect, it } from 'vitest';
import { coverPairs } from './cover-pairs.ts';

const list = (name: string, count: number) => Array.from({ length: count }, (_, option) => ({ [name]: option }));
const LISTS = [list('a', 5), list('b', 4), list('c', 3), list('d', 2)];

/** Pairs of options of different lists that no combination has. */
function missingPairs(rows: readonly Readonly<Record<string, unknown>>[]) {
  const pairs = LISTS.flatMap((one, at) =>
    one.flatMap((first) => LISTS.slice(at + 1).flatMap((other) => other.map((second) => ({ ...first, ...second })))),
  );
  return pairs.filter(
    (pair) => !rows.some((row) => Object.entries(pair).every(([name, value]) => row[name] === value)),
  );
}

it('combines every two options, in far fewer combinations than all', () => {
  const rows = coverPairs(LISTS, () => true);
  expect(missingPairs(rows)).toEqual([]);
  expect(rows.length).toBeLessThan(40);
});

it('keeps allowed pairs out of combinations that are not allowed', () => {
  const isAllowed = ({ a, c }: Readonly<Record<string, unknown>>) => a !== 0 || c === undefined || c === 0;
  const rows = coverPairs(LISTS, isAllowed);
  expect(missingPairs(rows)).toEqual([]);
  expect(missingPairs(rows.filter(isAllowed))).toEqual([
    { a: 0, c: 1 },
    { a: 0, c: 2 },
  ]);
});
