import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JustifiedRow, justifiedRows, clampRatio, type JustifiedRowsLayout } from './justified-rows.ts';

const shape: JustifiedRowsLayout = { width_px: 1_000, target_px: 200, gap_px: 4, more: false };
const widthOf = (row: JustifiedRow, gap_px: number) =>
  row.widths_px.reduce((sum, width_px) => sum + width_px, 0) + gap_px * (row.count - 1);
const shapes = fc.record({
  width_px: fc.integer({ min: 320, max: 3_840 }),
  target_px: fc.integer({ min: 120, max: 320 }),
  gap_px: fc.integer({ min: 0, max: 12 }),
  more: fc.boolean(),
});
const media = fc.array(fc.double({ min: 0.1, max: 8, noNaN: true }).map(clampRatio), { maxLength: 300 });

describe('justifiedRows', () => {
  it('fills the width, keeps the ratios within a pixel and bounds the height', () => {
    fc.assert(
      fc.property(media, shapes, (ratios, given) => {
        const rows = justifiedRows(ratios, given);
        for (const [at, row] of rows.entries()) {
          expect(row.height_px).toBeLessThanOrEqual(Math.ceil(given.target_px * 1.4));
          const is_loose = !given.more && at === rows.length - 1 && widthOf(row, given.gap_px) !== given.width_px;
          if (!is_loose) expect(widthOf(row, given.gap_px)).toBe(given.width_px);
          else expect(row.height_px).toBe(given.target_px);
          for (const [index, width_px] of row.widths_px.entries()) {
            const wanted_px = (ratios[row.first + index] ?? 1) * row.height_px;
            // Height and both edges are whole pixels.
            expect(Math.abs(width_px - wanted_px)).toBeLessThan(2 + (ratios[row.first + index] ?? 1) * row.count);
          }
        }
      }),
    );
  });

  it('contains every medium once, in order, and leaves out an unfilled last row if more follow', () => {
    fc.assert(
      fc.property(media, shapes, (ratios, given) => {
        const rows = justifiedRows(ratios, given);
        let next = 0;
        let top_px = 0;
        for (const row of rows) {
          expect([row.first, row.top_px, row.widths_px.length]).toEqual([next, top_px, row.count]);
          next += row.count;
          top_px += row.height_px + given.gap_px;
        }
        if (!given.more) expect(next).toBe(ratios.length);
        const rest = ratios.slice(next).reduce((sum, ratio) => sum + ratio, 0);
        expect(rest * given.target_px).toBeLessThanOrEqual(given.width_px);
      }),
    );
  });

  it('keeps its rows when more media are loaded', () => {
    fc.assert(
      fc.property(media, media, shapes, (ratios, added, given) => {
        const before = justifiedRows(ratios, { ...given, more: true });
        const after = justifiedRows([...ratios, ...added], given);
        expect(after.slice(0, before.length)).toEqual(before);
      }),
    );
  });

  it('keeps the rows below the base when media are added above', () => {
    fc.assert(
      fc.property(media, media, shapes, (added, ratios, given) => {
        const shapeOf = ({ first, count, height_px, widths_px }: JustifiedRow, by: number) => ({
          first: first - by,
          count,
          height_px,
          widths_px,
        });
        const before = justifiedRows(ratios, given).map((row) => shapeOf(row, 0));
        const after = justifiedRows([...added, ...ratios], given, added.length);
        const below = after.filter(({ first }) => first >= added.length).map((row) => shapeOf(row, added.length));
        expect(below).toEqual(before);
        expect(after.filter(({ first }) => first < added.length).at(-1)?.count ?? 0).toBeLessThanOrEqual(added.length);
      }),
    );
  });

  it('does not enlarge a few media to fill the width', () => {
    expect(justifiedRows([1, 1], shape)).toEqual([
      { first: 0, count: 2, top_px: 0, height_px: 200, widths_px: [200, 200] },
    ]);
    expect(justifiedRows([1, 1], { ...shape, more: true })).toEqual([]);
    expect(justifiedRows([], shape)).toEqual([]);
    expect(justifiedRows([1], { ...shape, width_px: 0 })).toEqual([]);
  });

  it('treats media without a size as square and bounds extreme ratios', () => {
    expect([Number.NaN, 0, -1, Number.POSITIVE_INFINITY].map(clampRatio)).toEqual([1, 1, 1, 1]);
    expect([0.01, 1.5, 20].map(clampRatio)).toEqual([0.45, 1.5, 3.2]);
  });
});
