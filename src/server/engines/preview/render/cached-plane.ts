import { bitmap, field, type Bitmap, type Ctx, type Plane, type Stage } from '../draw/stage.ts';
import type { Camera } from './camera.ts';

export interface CachedPlane {
  paint(ctx: Ctx, time_s: number, duration_s: number, camera: Camera): void;
}

/** The visible part of a plane and its position in units; null when it is empty. */
type CachedImage = { image: Bitmap; x: number; y: number; width: number; height: number } | null;

export function cachePlane(stage: Stage, plane: Plane): CachedPlane {
  let kept: CachedImage | undefined;
  return {
    paint(ctx, time_s, duration_s, camera) {
      if (!plane.live) kept ??= rasterise(stage, plane);
      if (kept === null) return;
      ctx.save();
      camera.apply(ctx, plane.depth);
      const { x, y } = driftOffset(stage, plane, time_s, duration_s);
      ctx.translate(x, y + (plane.float?.(time_s) ?? 0));
      if (plane.blend) ctx.globalCompositeOperation = plane.blend;
      if (kept) {
        ctx.imageSmoothingQuality = 'low';
        ctx.drawImage(kept.image, kept.x, kept.y, kept.width, kept.height);
      } else plane.paint(ctx, time_s);
      ctx.restore();
    },
  };
}

function rasterise(stage: Stage, plane: Plane): CachedImage {
  const area = field(stage);
  const { scale } = stage;
  const { canvas, ctx } = bitmap(area.width * scale, area.height * scale);
  ctx.scale(scale, scale);
  ctx.translate(-area.x, -area.y);
  plane.paint(ctx, 0);
  const box = visibleBox(canvas);
  if (!box) return null;
  const cut = bitmap(box.width, box.height);
  cut.ctx.drawImage(canvas, -box.x, -box.y);
  return {
    image: cut.canvas,
    x: area.x + box.x / scale,
    y: area.y + box.y / scale,
    width: box.width / scale,
    height: box.height / scale,
  };
}

/** Drawing less than the whole plane is what makes frames fast. */
function visibleBox(canvas: Bitmap): { x: number; y: number; width: number; height: number } | null {
  const { width, height } = canvas;
  const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, width, height).data.buffer);
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let first = 0;
    while (first < width && pixels[row + first] === 0) first += 1;
    if (first === width) continue;
    let last = width - 1;
    while (pixels[row + last] === 0) last -= 1;
    left = Math.min(left, first);
    right = Math.max(right, last);
    top = Math.min(top, y);
    bottom = y;
  }
  return bottom < 0 ? null : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** A drift starts and ends at equal distances from its middle, and never shows the edge of the painted area. */
function driftOffset(stage: Stage, plane: Plane, time_s: number, duration_s: number): { x: number; y: number } {
  if (!plane.drift) return { x: 0, y: 0 };
  const farthest = (Math.hypot(plane.drift.x, plane.drift.y) * duration_s) / 2;
  const slowed = Math.min(1, (stage.bleed * 0.6) / Math.max(1, farthest));
  const since = (time_s - duration_s / 2) * slowed;
  return { x: plane.drift.x * since, y: plane.drift.y * since };
}
