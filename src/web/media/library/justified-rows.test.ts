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
      fc.property(media, shapes, (ratios, layout) => {
        const rows = justifiedRows(ratios, layout);
        for (const [at, row] of rows.entries()) {
          expect(row.height_px).toBeLessThanOrEqual(Math.ceil(layout.target_px * 1.4));
          const is_loose = !layout.more && at === rows.length - 1 && widthOf(row, layout.gap_px) !== layout.width_px;
          if (!is_loose) expect(widthOf(row, layout.gap_px)).toBe(layout.width_px);
          else expect(row.height_px).toBe(layout.target_px);
          for (const [index, width_px] of row.widths_px.entries()) {
            const expected_px = (ratios[row.first + index] ?? 1) * row.height_px;
            // Height and both edges are whole pixels.
            expect(Math.abs(width_px - expected_px)).toBeLessThan(2 + (ratios[row.first + index] ?? 1) * row.count);
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
        let top_px = 0;
        for (const row of rows) {
          expect([row.first, row.top_px, row.widths_px.length]).toEqual([next, top_px, row.count]);
          next += row.count;
          top_px += row.height_px + layout.gap_px;
        }
        if (!layout.more) expect(next).toBe(ratios.length);
        const rest = ratios.slice(next).reduce((sum, ratio) => sum + ratio, 0);
        expect(rest * layout.target_px).toBeLessThanOrEqual(layout.width_px);
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
        const shapeOf = ({ first, count, height_px, widths_px }: JustifiedRow, by: number) => ({
          first: first - by,
          count,
          height_px,
          widths_px,
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
