import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIT_ZOOM, fittedSize, nativeScale, panZoom, computeZoomFrame, stepZoom, zoomTo, toggleZoom } from './zoom.ts';

const stage = { widthPx: 1_000, heightPx: 500 };
const large = { widthPx: 4_000, heightPx: 4_000 };
const small = { widthPx: 100, heightPx: 50 };
const frame = computeZoomFrame(large, stage);
const middle = { xPx: 0, yPx: 0 };
const scales = fc.double({ min: 0.01, max: 100, noNaN: true });
const places = fc.record({
  xPx: fc.double({ min: -500, max: 500, noNaN: true }),
  yPx: fc.double({ min: -250, max: 250, noNaN: true }),
});

describe('zoom', () => {
  it('fits a large image and leaves a small one at its size', () => {
    expect(fittedSize(large, stage)).toEqual({ widthPx: 500, heightPx: 500 });
    expect(fittedSize(small, stage)).toEqual(small);
    expect([nativeScale(large, frame), nativeScale(small, computeZoomFrame(small, stage))]).toEqual([8, 1]);
  });

  it('clamps between fit and eight screen pixels per image pixel', () => {
    expect(zoomTo(FIT_ZOOM, 0.2, middle, frame)).toEqual(FIT_ZOOM);
    expect(zoomTo(FIT_ZOOM, 1_000, middle, frame).scale).toBe(64);
    expect(zoomTo(FIT_ZOOM, 1_000, middle, computeZoomFrame(small, stage)).scale).toBe(8);
  });

  it('keeps the point under the pointer while the image covers the stage', () => {
    const start = zoomTo(FIT_ZOOM, 4, middle, frame);
    const point = { xPx: 100, yPx: -50 };
    const zoomed = zoomTo(start, 8, point, frame);
    const of = (zoom: typeof start) => [(point.xPx - zoom.xPx) / zoom.scale, (point.yPx - zoom.yPx) / zoom.scale];
    expect(of(zoomed)).toEqual(of(start));
  });

  it('never leaves the stage empty beside an image that could fill it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(scales, places, places), { maxLength: 12 }), (moves) => {
        let zoom = FIT_ZOOM;
        for (const [scale, point, by] of moves) zoom = panZoom(zoomTo(zoom, scale, point, frame), by, frame);
        const over = (sizePx: number, roomPx: number) => Math.max(0, (sizePx * zoom.scale - roomPx) / 2);
        expect(Math.abs(zoom.xPx)).toBeLessThanOrEqual(over(frame.fitted.widthPx, stage.widthPx) + 1e-9);
        expect(Math.abs(zoom.yPx)).toBeLessThanOrEqual(over(frame.fitted.heightPx, stage.heightPx) + 1e-9);
      }),
    );
  });

  it('steps back to fit exactly and toggles between fit and actual size', () => {
    const up = stepZoom(stepZoom(FIT_ZOOM, 1, frame), 1, frame);
    expect(up.scale).toBeCloseTo(2.25);
    expect(stepZoom(stepZoom(up, -1, frame), -1, frame)).toEqual(FIT_ZOOM);
    const own = toggleZoom(FIT_ZOOM, middle, large, frame);
    expect(own.scale).toBe(8);
    expect(toggleZoom(own, middle, large, frame)).toEqual(FIT_ZOOM);
    expect(toggleZoom(FIT_ZOOM, middle, small, computeZoomFrame(small, stage)).scale).toBe(2);
  });
});
