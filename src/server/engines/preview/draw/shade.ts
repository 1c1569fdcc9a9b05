import type { ImageData } from '@napi-rs/canvas';
import { bitmap, type Bitmap, type Ctx } from './stage.ts';

/** Red, green, blue from 0 to 255; opacity from 0 to 1. */
type Texel = [number, number, number, number];

type Pixel = (u: number, v: number, out: Texel) => void;
type Shader = (width_px: number, height_px: number, pixel: Pixel) => Bitmap;

/** Reuses one bitmap, for shapes that change in every frame. */
export function createShader(): Shader {
  let kept: { canvas: Bitmap; ctx: Ctx; image: ImageData } | undefined;
  return (width_px, height_px, pixel) => {
    const width = Math.max(1, Math.round(width_px));
    const height = Math.max(1, Math.round(height_px));
    if (kept?.image.width !== width || kept.image.height !== height) {
      const made = bitmap(width, height);
      kept = { ...made, image: made.ctx.createImageData(width, height) };
    }
    fill(kept.image.data, width, height, pixel);
    kept.ctx.putImageData(kept.image, 0, 0);
    return kept.canvas;
  };
}

/** For soft shapes at a low resolution, drawn enlarged: that costs a fraction and looks the same. */
export const shade: Shader = (width_px, height_px, pixel) => createShader()(width_px, height_px, pixel);

function fill(data: Uint8ClampedArray, width: number, height: number, pixel: Pixel): void {
  const out: Texel = [0, 0, 0, 0];
  let index = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      pixel((x + 0.5) / width, (y + 0.5) / height, out);
      data[index] = out[0];
      data[index + 1] = out[1];
      data[index + 2] = out[2];
      data[index + 3] = out[3] * 255;
      index += 4;
    }
  }
}
