import { describe, expect, it } from 'vitest';
import { type GridDirection, offsetInRowPx, nextGridIndex, findRowIndex } from './grid-navigation.ts';
import { justifiedRows } from './justified-rows.ts';

/** Three rows of 300 px: two wide ones, three squares, and one alone that is left over. */
const rows = justifiedRows([1.5, 1.5, 1, 1, 1, 1], { widthPx: 300, targetPx: 100, gapPx: 0, more: false });
const wide = { first: 0, count: 2, topPx: 0, heightPx: 100, widthsPx: [150, 150] };
const go = (index: number, ...moves: GridDirection[]) =>
  moves.reduce((at, move) => nextGridIndex(rows, at, move, 0), index);

describe('nextGridIndex', () => {
  it('has the rows that the tests assume', () => {
    expect(rows.map(({ first, count }) => [first, count])).toEqual([
      [0, 2],
      [2, 3],
      [5, 1],
    ]);
    expect([0, 1, 2, 4, 5, 6, -1].map((index) => findRowIndex(rows, index))).toEqual([0, 0, 1, 1, 2, -1, -1]);
    expect([0, 1].map((index) => offsetInRowPx(wide, index, 4))).toEqual([0, 154]);
  });

  it('moves left and right across rows and stops at the ends', () => {
    expect([go(0, 'left'), go(1, 'right'), go(2, 'left'), go(5, 'right')]).toEqual([0, 2, 1, 5]);
  });

  it('moves up and down to the nearest medium', () => {
    expect([go(0, 'down'), go(1, 'down'), go(4, 'up'), go(2, 'up'), go(4, 'down')]).toEqual([2, 4, 1, 0, 5]);
    expect([go(0, 'up'), go(5, 'down')]).toEqual([0, 5]);
    expect([go(0, 'page_down'), go(5, 'page_up')]).toEqual([5, 0]);
  });

  it('moves to the ends of the row and of the list', () => {
    expect([go(3, 'row_start'), go(3, 'row_end'), go(3, 'start'), go(3, 'end')]).toEqual([2, 4, 0, 5]);
  });

  it('starts at the first medium if the current one is missing; an empty list has no index', () => {
    expect(go(17, 'right')).toBe(0);
    expect(nextGridIndex([], 0, 'right', 0)).toBe(-1);
  });
});
