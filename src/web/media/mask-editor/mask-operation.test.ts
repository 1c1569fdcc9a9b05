import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeZoomFrame, FIT_ZOOM, imagePoint, zoomTo } from '#web/media/zoom/zoom.ts';
import { workSize } from './mask-canvas.ts';
import {
  drawOperation,
  type MaskOperation,
  type MaskPalette,
  operationBounds,
  type PixelRectangle,
  pressedWidth,
  rectangleOperation,
  stepRectangle,
  wholePicture,
} from './mask-operation.ts';
import { BRUSH_PX, resizeBrush } from './mask-tools.ts';

const picture = { widthPx: 800, heightPx: 500 };
const key = (name: string, rest: { shiftKey?: boolean; altKey?: boolean } = {}) => ({
  key: name,
  shiftKey: false,
  altKey: false,
  ...rest,
});

describe('operations', () => {
  it('makes a rectangle of whole pixels inside of the picture, whichever corner comes first', () => {
    const { points } = rectangleOperation('paint', { xPx: 900.4, yPx: 40.6 }, { xPx: -3, yPx: 10.2 }, picture);
    expect(points).toEqual([0, 10, 0, 800, 10, 0, 800, 41, 0, 0, 41, 0]);
    expect(operationBounds(wholePicture('invert', picture), picture)).toEqual({ xPx: 0, yPx: 0, ...picture });
  });

  it('bounds a stroke by its width, within the picture', () => {
    const stroke: MaskOperation = { kind: 'stroke', mode: 'paint', points: [10, 20, 8, 100.5, 30, 40] };
    expect(operationBounds(stroke, picture)).toEqual({ xPx: 6, yPx: 10, widthPx: 115, heightPx: 40 });
    expect(operationBounds({ ...stroke, points: [-50, -50, 8] }, picture)).toBeNull();
    expect(operationBounds({ ...stroke, points: [] }, picture)).toBeNull();
  });

  it('draws the same lines at once and in parts, with a new line where the width changes', () => {
    const points = [0, 0, 4, 10, 0, 4, 20, 0, 6, 30, 0, 6];
    const segments = (cuts: readonly number[]) => {
      const { context, drawn } = recordLines();
      let from = 0;
      for (const to of [...cuts, points.length / 3]) {
        drawOperation(context, { kind: 'stroke', mode: 'paint', points: points.slice(0, to * 3) }, PALETTE, from);
        from = to;
      }
      return drawn;
    };
    expect(segments([])).toEqual(['4: -0.01,0 0,0 10,0', '6: 10,0 20,0 30,0']);
    expect(segments([1, 3])).toEqual(['4: -0.01,0 0,0', '4: 0,0 10,0', '6: 10,0 20,0', '6: 20,0 30,0']);
  });

  it('draws wider under more pressure, and never nothing', () => {
    expect([0, 0.5, 1, 3].map((pressure) => Math.round(pressedWidth(50, pressure)))).toEqual([10, 30, 50, 50]);
  });
});

describe('the rectangle of the keyboard', () => {
  it('begins in the middle, moves with arrows and resizes with Shift', () => {
    const first = stepRectangle(null, key('ArrowUp'), picture);
    expect(first).toEqual({ xPx: 300, yPx: 187, widthPx: 200, heightPx: 125 });
    const moved = stepRectangle(first, key('ArrowLeft'), picture);
    expect(moved).toMatchObject({ xPx: 284, yPx: 187 });
    const wider = stepRectangle(moved, key('ArrowRight', { shiftKey: true }), picture);
    expect(wider).toMatchObject({ xPx: 284, widthPx: 216, heightPx: 125 });
    expect(stepRectangle(wider, key('ArrowDown', { altKey: true }), picture)).toMatchObject({ yPx: 188 });
    expect(stepRectangle(wider, key('Enter'), picture)).toBeNull();
  });

  it('never leaves the picture, nor gets empty', () => {
    const arrow = fc.record({
      key: fc.constantFrom('ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'),
      shiftKey: fc.boolean(),
      altKey: fc.boolean(),
    });
    const sides = fc.record({ widthPx: fc.integer({ min: 1, max: 9 }), heightPx: fc.integer({ min: 1, max: 400 }) });
    fc.assert(
      fc.property(fc.array(arrow, { minLength: 1, maxLength: 80 }), sides, (keys, size) => {
        let rectangle: PixelRectangle | null = null;
        for (const pressed of keys) rectangle = stepRectangle(rectangle, pressed, size);
        const { xPx = -1, yPx = -1, widthPx = 0, heightPx = 0 } = rectangle ?? {};
        expect(Math.min(xPx, yPx)).toBeGreaterThanOrEqual(0);
        expect(Math.min(widthPx, heightPx)).toBeGreaterThanOrEqual(1);
        expect(xPx + widthPx).toBeLessThanOrEqual(size.widthPx);
        expect(yPx + heightPx).toBeLessThanOrEqual(size.heightPx);
      }),
    );
  });
});

describe('places and sizes', () => {
  it('finds the pixel of the picture under the pointer at any zoom', () => {
    const stage = { widthPx: 400, heightPx: 400 };
    const frame = computeZoomFrame(picture, stage);
    expect(imagePoint({ xPx: 0, yPx: 0 }, FIT_ZOOM, frame, picture)).toEqual({ xPx: 400, yPx: 250 });
    expect(imagePoint({ xPx: -200, yPx: -125 }, FIT_ZOOM, frame, picture)).toEqual({ xPx: 0, yPx: 0 });
    const pointer = { xPx: 120, yPx: -80 };
    const zoomed = zoomTo(FIT_ZOOM, 6, pointer, frame);
    const [at, same] = [FIT_ZOOM, zoomed].map((zoom) => imagePoint(pointer, zoom, frame, picture));
    expect(same?.xPx).toBeCloseTo(at?.xPx ?? 0);
    expect(same?.yPx).toBeCloseTo(at?.yPx ?? 0);
  });

  it('works on two megapixels at most', () => {
    expect(workSize(picture)).toEqual(picture);
    expect(workSize({ widthPx: 8_660, heightPx: 5_773 })).toEqual({ widthPx: 1_732, heightPx: 1_155 });
  });

  it('resizes the brush in steps, within its limits', () => {
    expect([resizeBrush(48, 1), resizeBrush(48, -1)]).toEqual([60, 38]);
    expect([resizeBrush(BRUSH_PX.max, 1), resizeBrush(BRUSH_PX.min, -1)]).toEqual([BRUSH_PX.max, BRUSH_PX.min]);
  });
});

const PALETTE: MaskPalette = {
  color: '#fff',
  eraseColor: '#000',
  composites: { paint: 'source-over', erase: 'source-over', invert: 'difference' },
};

/** The lines that are drawn, each with its width. */
function recordLines() {
  const drawn: string[] = [];
  let path: string[] = [];
  const pen = {
    lineWidth: 0,
    beginPath: () => (path = []),
    moveTo: (x: number, y: number) => path.push(`${x},${y}`),
    lineTo: (x: number, y: number) => path.push(`${x},${y}`),
    stroke: () => drawn.push(`${pen.lineWidth}: ${path.join(' ')}`),
  };
  return { context: pen as unknown as CanvasRenderingContext2D, drawn };
}
