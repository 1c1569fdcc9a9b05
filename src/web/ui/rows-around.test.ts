import { describe, expect, it } from 'vitest';
import { rowsAround } from './rows-around.ts';

const ends = (rows: number[]) => [rows[0], rows.at(-1)];

describe('rows around those in sight', () => {
  it.each([0, 1, 3, 4, 17, 499, 985, 990])('has all in sight, and more on both sides, from row %i on', (startIndex) => {
    const rows = rowsAround({ startIndex, count: 1000 }, 16);
    const [from = NaN, to = NaN] = ends(rows);
    expect(from).toBeLessThanOrEqual(Math.max(0, startIndex - 6));
    expect(to).toBeGreaterThanOrEqual(Math.min(999, startIndex + 15 + 6));
    expect(rows).toEqual(Array.from({ length: to - from + 1 }, (_, row) => from + row));
  });

  it('changes at both ends at once, every few rows', () => {
    const seen = Array.from({ length: 40 }, (_, row) => ends(rowsAround({ startIndex: 100 + row, count: 1000 }, 16)));
    const changes = seen.slice(1).filter((now, at) => now[0] !== seen[at]?.[0] || now[1] !== seen[at]?.[1]);
    expect(changes).toHaveLength(9);
    expect(new Set(seen.map(([from = NaN, to = NaN]) => to - from)).size).toBe(1);
  });

  it('has nothing beyond the list', () => {
    expect(rowsAround({ startIndex: 0, count: 3 }, 16)).toEqual([0, 1, 2]);
    expect(rowsAround({ startIndex: 0, count: 0 }, 16)).toEqual([]);
  });
});
