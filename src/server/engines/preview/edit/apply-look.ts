import { grain, vignette } from '../draw/finish.ts';
import { smoothstep } from '../draw/noise.ts';
import { toBitmap } from '../draw/prints.ts';
import { shade } from '../draw/shade.ts';
import { bitmap, type Bitmap, type Ctx } from '../draw/stage.ts';
import type { Pixels } from '../render/protocol.ts';
import type { Look } from './look.ts';

export function recolor({ rgba }: Pixels, { color }: Look): void {
  const [[rr, rg, rb, ro], [gr, gg, gb, go], [br, bg, bb, bo]] = color;
  const clamped = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.byteLength);
  for (let at = 0; at < clamped.length; at += 4) {
    const r = rgba[at] ?? 0;
    const g = rgba[at + 1] ?? 0;
    const b = rgba[at + 2] ?? 0;
    clamped[at] = rr * r + rg * g + rb * b + ro * 255;
    clamped[at + 1] = gr * r + gg * g + gb * b + go * 255;
    clamped[at + 2] = br * r + bg * g + bb * b + bo * 255;
  }
}

/** `radius_px` is large, so the image is blurred at a small size and enlarged. */
function blurred(image: Bitmap, radius_px: number): Bitmap {
  const shrink = Math.max(1, radius_px / 3);
  const small = bitmap(image.width / shrink, image.height / shrink);
  small.ctx.imageSmoothingQuality = 'high';
  small.ctx.filter = `blur(${Math.min(radius_px, 3)}px)`;
  small.ctx.drawImage(image, 0, 0, small.canvas.width, small.canvas.height);
  return small.canvas;
}

/** Sharp in the middle, where the subject usually is, and blurred at the sides. */
function paintBlurredBackground(ctx: Ctx, image: Bitmap, radius_px: number): void {
  const { width, height } = image;
  const mask = shade(64, Math.max(16, Math.round((64 * height) / width)), (u, v, out) => {
    out[3] = smoothstep(0.5, 0.95, Math.hypot((u - 0.5) * 2.1, (v - 0.54) * 1.75));
  });
  const layer = bitmap(width, height);
  layer.ctx.imageSmoothingQuality = 'high';
  layer.ctx.drawImage(blurred(image, radius_px), 0, 0, width, height);
  layer.ctx.globalCompositeOperation = 'destination-in';
  layer.ctx.drawImage(mask, 0, 0, width, height);
  ctx.drawImage(layer.canvas, 0, 0);
}

/** @param base has the size of the canvas */
export function paintLook(ctx: Ctx, base: Pixels, look: Look): void {
  recolor(base, look);
  const image = toBitmap(base);
  const short = Math.min(base.width_px, base.height_px);
  ctx.save();
  ctx.resetTransform();
  ctx.imageSmoothingQuality = 'high';
  ctx.drawImage(image, 0, 0);
  if (look.blur > 0) ctx.drawImage(blurred(image, look.blur * short), 0, 0, base.width_px, base.height_px);
  if (look.background_blur > 0) paintBlurredBackground(ctx, image, look.background_blur * short);
  if (look.mosaic > 0) {
    const tile = Math.max(2, look.mosaic * short);
    const small = bitmap(base.width_px / tile, base.height_px / tile);
    small.ctx.imageSmoothingQuality = 'medium';
    small.ctx.drawImage(image, 0, 0, small.canvas.width, small.canvas.height);
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(small.canvas, 0, 0, base.width_px, base.height_px);
    ctx.imageSmoothingEnabled = true;
  }
  if (look.vignette > 0) vignette(ctx, look.vignette);
  if (look.grain > 0) grain(ctx, look.grain, short / 900);
  ctx.restore();
}
