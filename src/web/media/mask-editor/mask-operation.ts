import type { PixelDimensions, Point } from '#web/media/zoom/zoom.ts';

export type MaskMode = 'paint' | 'erase' | 'invert';

/** A change of the mask, in pixels of the picture. */
export interface MaskOperation {
  /** `area` fills the polygon of its points. */
  kind: 'stroke' | 'area';
  mode: MaskMode;
  /** x, y and width of each point, one after the other, which is faster to copy than objects. */
  points: number[];
}

export interface PixelRectangle extends PixelDimensions, Point {}

/** How a canvas shows what is masked. */
export interface MaskPalette {
  color: string | CanvasPattern;
  eraseColor: string | CanvasPattern;
  composites: Record<MaskMode, GlobalCompositeOperation>;
}

const MIN_PRESSURE_SHARE = 0.2;

/** Width of a stroke under the pressure of a pen, from 0 to 1. */
export const pressedWidth = (widthPx: number, pressure: number): number =>
  widthPx * (MIN_PRESSURE_SHARE + (1 - MIN_PRESSURE_SHARE) * Math.min(1, Math.max(0, pressure)));

/** An area with corners on whole pixels inside of the picture, so that its edges are sharp. */
export function rectangleOperation(mode: MaskMode, one: Point, other: Point, picture: PixelDimensions): MaskOperation {
  const xs = [one.xPx, other.xPx].map((x) => Math.min(picture.widthPx, Math.max(0, Math.round(x))));
  const ys = [one.yPx, other.yPx].map((y) => Math.min(picture.heightPx, Math.max(0, Math.round(y))));
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  return { kind: 'area', mode, points: [left, top, 0, right, top, 0, right, bottom, 0, left, bottom, 0] };
}

export const wholePicture = (mode: MaskMode, { widthPx, heightPx }: PixelDimensions): MaskOperation =>
  rectangleOperation(mode, { xPx: 0, yPx: 0 }, { xPx: widthPx, yPx: heightPx }, { widthPx, heightPx });

/** The part of the picture that an operation changes, in whole pixels; null if that is nothing. */
export function operationBounds({ points }: MaskOperation, picture: PixelDimensions): PixelRectangle | null {
  let [left, top, right, bottom] = [picture.widthPx, picture.heightPx, 0, 0];
  for (let at = 0; at + 2 < points.length; at += 3) {
    const [x = 0, y = 0, width = 0] = points.slice(at, at + 3);
    left = Math.min(left, x - width / 2);
    top = Math.min(top, y - width / 2);
    right = Math.max(right, x + width / 2);
    bottom = Math.max(bottom, y + width / 2);
  }
  const xPx = Math.max(0, Math.floor(left));
  const yPx = Math.max(0, Math.floor(top));
  const widthPx = Math.min(picture.widthPx, Math.ceil(right)) - xPx;
  const heightPx = Math.min(picture.heightPx, Math.ceil(bottom)) - yPx;
  return widthPx > 0 && heightPx > 0 ? { xPx, yPx, widthPx, heightPx } : null;
}

const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * Moves or resizes a rectangle by an arrow key, inside of the picture. Returns null for other keys.
 * @param rectangle null: it begins in the middle
 */
export function stepRectangle(
  rectangle: PixelRectangle | null,
  { key, shiftKey, altKey }: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey'>,
  picture: PixelDimensions,
): PixelRectangle | null {
  const [x, y] = ARROWS[key] ?? [];
  if (x === undefined || y === undefined) return null;
  const [width, height] = [picture.widthPx, picture.heightPx];
  if (!rectangle) {
    const [widthPx, heightPx] = [Math.ceil(width / 4), Math.ceil(height / 4)];
    return { xPx: Math.floor((width - widthPx) / 2), yPx: Math.floor((height - heightPx) / 2), widthPx, heightPx };
  }
  const stepPx = altKey ? 1 : Math.max(1, Math.round(Math.max(width, height) / 50));
  const { xPx, yPx, widthPx, heightPx } = rectangle;
  const within = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));
  if (shiftKey)
    return {
      xPx,
      yPx,
      widthPx: within(widthPx + x * stepPx, 1, width - xPx),
      heightPx: within(heightPx + y * stepPx, 1, height - yPx),
    };
  return {
    xPx: within(xPx + x * stepPx, 0, width - widthPx),
    yPx: within(yPx + y * stepPx, 0, height - heightPx),
    widthPx,
    heightPx,
  };
}

/**
 * Draws an operation, or what a stroke has gained.
 * @param from number of points that are drawn already
 */
export function drawOperation(
  context: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  { kind, mode, points }: MaskOperation,
  palette: MaskPalette,
  from = 0,
): void {
  const color = mode === 'erase' ? palette.eraseColor : palette.color;
  context.globalCompositeOperation = palette.composites[mode];
  context.fillStyle = color;
  context.strokeStyle = color;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.beginPath();
  if (kind === 'area') {
    for (let at = 0; at < points.length; at += 3) context.lineTo(points[at] ?? 0, points[at + 1] ?? 0);
    context.fill();
    return;
  }
  let width = 0;
  for (let at = from * 3; at < points.length; at += 3) {
    const [x = 0, y = 0, nextWidth = 0] = [points[at], points[at + 1], points[at + 2]];
    if (nextWidth !== width) {
      if (width > 0) context.stroke();
      context.beginPath();
      // The width of a line is that of its end.
      if (at > 0) context.moveTo(points[at - 3] ?? x, points[at - 2] ?? y);
      width = nextWidth;
      context.lineWidth = width;
    }
    // A line of no length would draw nothing in some browsers, rather than a dot.
    if (at === 0) context.moveTo(x - 0.01, y);
    context.lineTo(x, y);
  }
  context.stroke();
}
