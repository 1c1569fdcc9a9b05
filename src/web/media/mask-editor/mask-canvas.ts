import type { PixelDimensions } from '#web/media/zoom/zoom.ts';
import {
  drawOperation,
  type MaskOperation,
  type MaskPalette,
  operationBounds,
  type PixelRectangle,
} from './mask-operation.ts';

const MAX_WORK_PIXELS = 2_000_000;
/** Kept for undo: 64 MB, and no more than a hundred steps. */
const MAX_KEPT_PIXELS = 16_000_000;
const MIN_STEP_PIXELS = MAX_KEPT_PIXELS / 100;
/** Two tones, one of which differs from what is below on any picture. */
const TONES = ['#e6007e', '#4dffd2'] as const;
/** Tiles of the hatching along the longer side, so that it is seen on small screens too. */
const TILE_COUNT = 64;

/** The copy of the picture's mask that is painted on: as large as the picture, up to two megapixels. */
export function workSize({ widthPx, heightPx }: PixelDimensions): PixelDimensions {
  const share = Math.min(1, Math.sqrt(MAX_WORK_PIXELS / (widthPx * heightPx)));
  return { widthPx: Math.max(1, Math.round(widthPx * share)), heightPx: Math.max(1, Math.round(heightPx * share)) };
}

export interface MaskState {
  canUndo: boolean;
  canRedo: boolean;
  /** Whether anything differs from how the mask was opened. */
  isChanged: boolean;
}

interface Step {
  operation: MaskOperation;
  /** What was there before; null if that is no longer kept. */
  before: { canvas: OffscreenCanvas; place: PixelRectangle } | null;
}

export type MaskCanvas = ReturnType<typeof createMaskCanvas>;

/**
 * Shows a mask over its picture, and follows how it changes.
 * @param shown gets the work size of the picture
 */
export function createMaskCanvas(
  shown: OffscreenCanvas,
  picture: PixelDimensions,
  onChange: (state: MaskState) => void,
) {
  const size = workSize(picture);
  const scale = { x: size.widthPx / picture.widthPx, y: size.heightPx / picture.heightPx };
  shown.width = size.widthPx;
  shown.height = size.heightPx;
  /** Without the operation that is under way. */
  const committed = new OffscreenCanvas(size.widthPx, size.heightPx);
  const view = require2d(shown.getContext('2d'));
  const store = require2d(committed.getContext('2d'));
  const palette = createPalette(view, size, scale);
  const done: Step[] = [];
  const undone: MaskOperation[] = [];
  let keptPixels = 0;
  let active: { operation: MaskOperation; drawnPoints: number; drawn: PixelRectangle | null } | null = null;
  let frame = 0;

  const workBounds = (operation: MaskOperation): PixelRectangle | null => {
    const { kind, mode, points } = operation;
    const scaled = points.map((value, at) => (at % 3 === 0 ? value * scale.x : at % 3 === 1 ? value * scale.y : value));
    // Antialiasing reaches one pixel further.
    for (let at = 2; at < scaled.length; at += 3) scaled[at] = (points[at] ?? 0) * Math.max(scale.x, scale.y) + 4;
    return operationBounds({ kind, mode, points: scaled }, size);
  };
  const draw = (operation: MaskOperation, from = 0) => {
    view.setTransform(scale.x, 0, 0, scale.y, 0, 0);
    drawOperation(view, operation, palette, from);
  };
  const copy = (
    to: OffscreenCanvasRenderingContext2D,
    from: OffscreenCanvas,
    { xPx, yPx, widthPx, heightPx }: PixelRectangle,
    fromPx = { xPx, yPx },
  ) => {
    to.setTransform(1, 0, 0, 1, 0, 0);
    to.globalCompositeOperation = 'source-over';
    to.clearRect(xPx, yPx, widthPx, heightPx);
    to.drawImage(from, fromPx.xPx, fromPx.yPx, widthPx, heightPx, xPx, yPx, widthPx, heightPx);
  };
  const notify = () =>
    onChange({
      canUndo: (done.at(-1)?.before ?? null) !== null,
      canRedo: undone.length > 0,
      isChanged: done.length > 0,
    });

  const commit = (operation: MaskOperation) => {
    const place = workBounds(operation);
    if (!place) return;
    const canvas = new OffscreenCanvas(place.widthPx, place.heightPx);
    copy(require2d(canvas.getContext('2d')), committed, { ...place, xPx: 0, yPx: 0 }, place);
    copy(store, shown, place);
    done.push({ operation, before: { canvas, place } });
    keptPixels += pixelsOf(canvas);
    // The last step can always be undone.
    for (const step of done.slice(0, -1)) {
      if (keptPixels <= MAX_KEPT_PIXELS) break;
      if (step.before) keptPixels -= pixelsOf(step.before.canvas);
      step.before = null;
    }
  };
  const restoreActive = () => {
    if (active?.drawn) copy(view, committed, active.drawn);
  };
  const drawActive = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (!active) return;
    const { operation, drawnPoints } = active;
    if (operation.kind === 'area') restoreActive();
    draw(operation, drawnPoints);
    active.drawnPoints = operation.kind === 'area' ? 0 : operation.points.length / 3;
    if (operation.kind === 'area') active.drawn = workBounds(operation);
  };
  const cancel = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (active?.operation.kind === 'stroke') active.drawn = workBounds(active.operation);
    restoreActive();
    active = null;
  };
  const finish = () => {
    drawActive();
    if (!active) return;
    const { kind, points } = active.operation;
    // A click with a tool that drags.
    if (kind === 'area' && (points.length < 9 || !operationBounds(active.operation, picture))) return cancel();
    commit(active.operation);
    active = null;
    undone.length = 0;
    notify();
  };
  /** Shows an operation that is not finished; it may be passed again as it grows, or another in its place. */
  const preview = (operation: MaskOperation) => {
    if (active?.operation !== operation) {
      const drawn = operation.kind === 'area' ? (active?.drawn ?? null) : null;
      if (active && !drawn) cancel();
      active = { operation, drawnPoints: 0, drawn };
    }
    frame ||= requestAnimationFrame(drawActive);
  };

  return {
    preview,
    finish,
    cancel,
    apply: (operation: MaskOperation) => {
      cancel();
      preview(operation);
      finish();
    },
    undo: () => {
      cancel();
      const step = done.at(-1);
      if (!step?.before) return;
      done.pop();
      undone.push(step.operation);
      const { canvas, place } = step.before;
      keptPixels -= pixelsOf(canvas);
      for (const context of [view, store]) copy(context, canvas, place, { xPx: 0, yPx: 0 });
      notify();
    },
    redo: () => {
      cancel();
      const operation = undone.pop();
      if (!operation) return;
      draw(operation);
      commit(operation);
      notify();
    },
    /** @param alpha a mask of the work size, whose opaque pixels are masked */
    open: (alpha: ImageBitmap) => {
      for (const context of [view, store]) {
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.globalCompositeOperation = 'copy';
        context.drawImage(alpha, 0, 0);
        context.setTransform(scale.x, 0, 0, scale.y, 0, 0);
        context.globalCompositeOperation = 'source-in';
        context.fillStyle = palette.color;
        context.fillRect(0, 0, picture.widthPx, picture.heightPx);
      }
      alpha.close();
    },
    operations: (): MaskOperation[] => done.map(({ operation }) => operation),
  };
}

const pixelsOf = ({ width, height }: OffscreenCanvas) => Math.max(MIN_STEP_PIXELS, width * height);

function require2d(context: OffscreenCanvasRenderingContext2D | null): OffscreenCanvasRenderingContext2D {
  if (!context) throw new Error('This browser gives no canvas to draw on.');
  return context;
}

function createPalette(
  context: OffscreenCanvasRenderingContext2D,
  { widthPx, heightPx }: PixelDimensions,
  scale: { x: number; y: number },
): MaskPalette {
  const sidePx = Math.max(8, Math.round(Math.max(widthPx, heightPx) / TILE_COUNT));
  const tile = new OffscreenCanvas(sidePx, sidePx);
  const drawing = require2d(tile.getContext('2d'));
  [drawing.fillStyle, drawing.strokeStyle] = TONES;
  drawing.fillRect(0, 0, sidePx, sidePx);
  drawing.lineWidth = sidePx / 6;
  // A diagonal that continues in the tiles around.
  for (const shift of [-sidePx, 0, sidePx]) {
    drawing.moveTo(shift - 2, sidePx + 2);
    drawing.lineTo(shift + sidePx + 2, -2);
  }
  drawing.stroke();
  const pattern = context.createPattern(tile, 'repeat');
  pattern?.setTransform(new DOMMatrix().scale(1 / scale.x, 1 / scale.y));
  return {
    color: pattern ?? TONES[0],
    eraseColor: '#000',
    composites: { paint: 'source-over', erase: 'destination-out', invert: 'xor' },
  };
}
