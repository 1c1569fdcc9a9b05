import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JustifiedRow, justifiedRows, clampRatio, type JustifiedRowsLayout } from './justified-rows.ts';

const shape: JustifiedRowsLayout = { widthPx: 1_000, targetPx: 200, gapPx: 4, more: false };
const widthOf = (row: JustifiedRow, gapPx: number) =>
  row.widthsPx.reduce((sum, widthPx) => sum + widthPx, 0) + gapPx * (row.count - 1);
const shapes = fc.record({
  widthPx: fc.integer({ min: 320, max: 3_840 }),
  targetPx: fc.integer({ min: 120, max: 320 }),
  gapPx: fc.integer({ min: 0, max: 12 }),
  more: fc.boolean(),
});
const media = fc.array(fc.double({ min: 0.1, max: 8, noNaN: true }).map(clampRatio), { maxLength: 300 });

describe('justifiedRows', () => {
  it('fills the width, keeps the ratios within a pixel and bounds the height', () => {
    fc.assert(
      fc.property(media, shapes, (ratios, layout) => {
        const rows = justifiedRows(ratios, layout);
        for (const [at, row] of rows.entries()) {
          expect(row.heightPx).toBeLessThanOrEqual(Math.ceil(layout.targetPx * 1.4));
          const isLoose = !layout.more && at === rows.length - 1 && widthOf(row, layout.gapPx) !== layout.widthPx;
          if (!isLoose) expect(widthOf(row, layout.gapPx)).toBe(layout.widthPx);
          else expect(row.heightPx).toBe(layout.targetPx);
          for (const [index, widthPx] of row.widthsPx.entries()) {
            const expectedPx = (ratios[row.first + index] ?? 1) * row.heightPx;
            // Height and both edges are whole pixels.
            expect(Math.abs(widthPx - expectedPx)).toBeLessThan(2 + (ratios[row.first + index] ?? 1) * row.count);
          }
        }
      }),
    );
  });

  it('contains every medium once, in order, and leaves out an unfilled last row if more follow', () => {
    fc.assert(
      fc.property(media, shapes, (ratios, layout) => {
        const rows = justifiedRows(ratios, layout);
        let next = 0;
        let topPx = 0;
        for (const row of rows) {
          expect([row.first, row.topPx, row.widthsPx.length]).toEqual([next, topPx, row.count]);
          next += row.count;
          topPx += row.heightPx + layout.gapPx;
        }
        if (!layout.more) expect(next).toBe(ratios.length);
        const rest = ratios.slice(next).reduce((sum, ratio) => sum + ratio, 0);
        expect(rest * layout.targetPx).toBeLessThanOrEqual(layout.widthPx);
      }),
    );
  });

  it('keeps its rows when more media are loaded', () => {
    fc.assert(
      fc.property(media, media, shapes, (ratios, added, layout) => {
        const previous = justifiedRows(ratios, { ...layout, more: true });
        const next = justifiedRows([...ratios, ...added], layout);
        expect(next.slice(0, previous.length)).toEqual(previous);
      }),
    );
  });

  it('keeps the rows below the base when media are added above', () => {
    fc.assert(
      fc.property(media, media, shapes, (added, ratios, layout) => {
        const shapeOf = ({ first, count, heightPx, widthsPx }: JustifiedRow, by: number) => ({
          first: first - by,
          count,
          heightPx,
          widthsPx,
        });
        const previous = justifiedRows(ratios, layout).map((row) => shapeOf(row, 0));
        const next = justifiedRows([...added, ...ratios], layout, added.length);
        const below = next.filter(({ first }) => first >= added.length).map((row) => shapeOf(row, added.length));
        expect(below).toEqual(previous);
        expect(next.filter(({ first }) => first < added.length).at(-1)?.count ?? 0).toBeLessThanOrEqual(added.length);
      }),
    );
  });

  it('does not enlarge a few media to fill the width', () => {
    expect(justifiedRows([1, 1], shape)).toEqual([
      { first: 0, count: 2, topPx: 0, heightPx: 200, widthsPx: [200, 200] },
    ]);
    expect(justifiedRows([1, 1], { ...shape, more: true })).toEqual([]);
    expect(justifiedRows([], shape)).toEqual([]);
    expect(justifiedRows([1], { ...shape, widthPx: 0 })).toEqual([]);
  });

  it('treats media without a size as square and bounds extreme ratios', () => {
    expect([Number.NaN, 0, -1, Number.POSITIVE_INFINITY].map(clampRatio)).toEqual([1, 1, 1, 1]);
    expect([0.01, 1.5, 20].map(clampRatio)).toEqual([0.45, 1.5, 3.2]);
  });
});
