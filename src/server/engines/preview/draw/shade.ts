import { bitmap, type Bitmap } from './stage.ts';

/** Red, green, blue in 0 to 255 and opacity in 0 to 1. */
export type Texel = [number, number, number, number];

/**
 * A bitmap whose every pixel a function decides. Meant for soft things at a low resolution (clouds, mist, textures),
 * which are then drawn enlarged: that costs a fraction and looks the same. What is shaded in every frame gives `make` a
 * scratch canvas.
 */
export function shade(
  width_px: number,
  height_px: number,
  pixel: (u: number, v: number, out: Texel) => void,
  make: typeof bitmap = bitmap,
): Bitmap {
  const { canvas, ctx } = make(width_px, height_px);
  const image = ctx.createImageData(canvas.width, canvas.height);
  const { data } = image;
  const { width, height } = canvas;
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
  ctx.putImageData(image, 0, 0);
  return canvas;
}
