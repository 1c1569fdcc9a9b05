import type { Move } from '../brief/lexicon.ts';
import { toBitmap } from '../draw/prints.ts';
import { fbm, smoothstep } from '../draw/noise.ts';
import { createShader } from '../draw/shade.ts';
import { createScratch, type Bitmap, type Ctx } from '../draw/stage.ts';
import type { Pixels } from './protocol.ts';

/** Lean of the ground under a moving camera, as shares of the frame. */
const LEANS = {
  push_in: { x: 0, y: 0 },
  pull_out: { x: 0, y: 0.01 },
  pan_left: { x: -0.035, y: 0 },
  pan_right: { x: 0.035, y: 0 },
  rise: { x: 0, y: -0.02 },
  sink: { x: 0, y: 0.02 },
  locked: { x: 0, y: 0 },
} as const satisfies Record<Move, { x: number; y: number }>;

const STRIPS = 240;

/** Animates a still frame that is unchanged at 0: the camera moves in, the lower part faster, like ground below it. */
export function createPhoto(pixels: Pixels, move: Move): (ctx: Ctx, progress: number) => void {
  const image = toBitmap(pixels);
  const { width_px: width, height_px: height } = pixels;
  const lean = LEANS[move];
  return (ctx, progress) => {
    ctx.resetTransform();
    if (progress <= 0) {
      ctx.drawImage(image, 0, 0);
      return;
    }
    ctx.imageSmoothingQuality = 'low';
    const step = Math.max(2, Math.ceil(height / STRIPS));
    const center_y = height * 0.42;
    const source_y = (y: number): number =>
      center_y + (y - center_y) / (1 + progress * (0.06 + (0.05 * y) / height)) + lean.y * height * progress;
    for (let y = 0; y < height; y += step) {
      const near = y / height;
      const zoom = 1 + progress * (0.07 + Math.abs(lean.x) * 2 + 0.09 * near);
      const span = width / zoom;
      const slide = lean.x * width * progress * (0.3 + near);
      const left = Math.min(width - span, Math.max(0, (width - span) / 2 + slide));
      const top = Math.max(0, source_y(y));
      const bottom = Math.min(height, source_y(Math.min(height, y + step)));
      ctx.drawImage(image, left, top, span, Math.max(0.5, bottom - top), 0, y, width, step);
    }
  };
}

export function createDissolve(
  width_px: number,
  height_px: number,
  seed: number,
): (ctx: Ctx, layer: Bitmap, done: number) => void {
  const scratch = createScratch();
  const shade = createShader();
  const columns = 96;
  const rows = Math.max(8, Math.round((columns * height_px) / width_px));
  const clouds = Float32Array.from({ length: columns * rows }, (_, index) =>
    fbm((index % columns) / 18, Math.floor(index / columns) / 18, seed, 4),
  );
  return (ctx, layer, done) => {
    ctx.resetTransform();
    if (done <= 0) return;
    if (done >= 1) {
      ctx.drawImage(layer, 0, 0);
      return;
    }
    let index = 0;
    const edge = 1 - done * 1.42;
    const mask = shade(columns, rows, (_u, _v, out) => {
      out[3] = smoothstep(edge, edge + 0.42, clouds[index] ?? 0);
      index += 1;
    });
    const masked = scratch(width_px, height_px);
    masked.ctx.imageSmoothingQuality = 'high';
    masked.ctx.drawImage(mask, 0, 0, width_px, height_px);
    masked.ctx.globalCompositeOperation = 'source-in';
    masked.ctx.drawImage(layer, 0, 0);
    ctx.drawImage(masked.canvas, 0, 0);
  };
}
