import { describe, expect, it } from 'vitest';
import { firstOfBatch, renderingPace, visibleRange } from './use-virtual-list.ts';

const pace = { overscan: 6, batch: 4 };

describe('visibleRange', () => {
  it.each([0, 1, 3, 4, 17, 499, 980, 984])(
    'includes the visible rows and an overscan on both sides from row %i on',
    (first) => {
      const { from, end } = visibleRange(first, 16, 1000, pace);
      expect(from).toBeGreaterThanOrEqual(0);
      expect(from).toBeLessThanOrEqual(Math.max(0, first - 6));
      expect(end).toBeGreaterThanOrEqual(Math.min(1000, first + 16 + 6));
      expect(end).toBeLessThanOrEqual(1000);
    },
  );

  it('changes at both ends at once, every few rows', () => {
    const seen = Array.from({ length: 40 }, (_, row) => visibleRange(100 + row, 16, 1000, pace));
    const changes = seen.slice(1).filter(({ from, end }, at) => from !== seen[at]?.from || end !== seen[at]?.end);
    expect(changes).toHaveLength(9);
    expect(new Set(seen.map(({ from, end }) => end - from)).size).toBe(1);
  });

  it('is the same for every row of a batch', () => {
    for (const row of [0, 3, 4, 7, 502])
      expect(visibleRange(firstOfBatch(row, 4), 16, 1000, pace)).toEqual(visibleRange(row, 16, 1000, pace));
    expect([-5, -4, -1].map((row) => firstOfBatch(row, 4))).toEqual([0, 0, 0]);
  });

  it('stays within a list that has become shorter', () => {
    expect(visibleRange(0, 16, 3, pace)).toEqual({ from: 0, end: 3 });
    expect(visibleRange(0, 16, 0, pace)).toEqual({ from: 0, end: 0 });
    expect(visibleRange(500, 16, 30, pace)).toEqual({ from: 6, end: 30 });
    expect(visibleRange(500, 16, 3, pace)).toEqual({ from: 0, end: 3 });
  });
});

describe('renderingPace', () => {
  it.each([
    [40, { overscan: 9, batch: 6 }],
    [60, { overscan: 6, batch: 4 }],
    [270, { overscan: 2, batch: 1 }],
    [2_000, { overscan: 2, batch: 1 }],
  ])('renders rows of %i px ahead of a scroll, high ones alone', (height, expected) => {
    expect(renderingPace(height)).toEqual(expected);
  });
});
