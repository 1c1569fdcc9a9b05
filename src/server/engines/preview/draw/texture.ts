import { fbm, ridged, smoothstep } from './noise.ts';
import { shade } from './shade.ts';
import type { Bitmap, Ctx } from './stage.ts';

export type Ground = 'rock' | 'strata' | 'sand';

const COLUMNS = 420;
const ROWS = 210;

/** Light (above 0) and shade (below) at a point of the ground, about -1 to 1. `side` is the direction of the light. */
const reliefs = {
  rock: (u, v, seed, side) => {
    const height = (x: number, y: number): number => ridged(x * 7 + y * 1.2, y * 3.1, seed, 5);
    return (height(u, v) - height(u + side * 0.006, v - 0.004)) * 9;
  },
  strata: (u, v, seed, side) => {
    const bed = v * 26 + fbm(u * 5, v * 3, seed, 3) * 2.4;
    const layer = Math.sin(bed) * 0.35 + Math.sin(bed * 2.7 + 1) * 0.2;
    const cliff = ridged(u * 9, v * 0.7, seed + 3, 3) - ridged(u * 9 + side * 0.09, v * 0.7, seed + 3, 3);
    return layer + cliff * 2.6;
  },
  sand: (u, v, seed, side) => {
    const along = u * 2.6 + fbm(u * 2.2, v * 2.6, seed, 3) * 1.5 + v * 0.9;
    const saw = along - Math.floor(along);
    const face = side < 0 ? saw : 1 - saw;
    const slope =
      smoothstep(0, 0.62, face) * (1 - smoothstep(0.62, 0.68, face)) -
      smoothstep(0.64, 0.7, face) * (1 - smoothstep(0.8, 1, face)) * 1.1;
    const ripples = Math.sin(v * 420 + fbm(u * 10, v * 8, seed + 5, 2) * 16) * 0.13 * smoothstep(0.1, 0.6, v);
    return slope * 0.85 - 0.12 + ripples;
  },
} satisfies Record<Ground, (u: number, v: number, seed: number, side: number) => number>;

export function groundTexture(kind: Ground, seed: number, light_from_left: boolean): Bitmap {
  const relief = reliefs[kind];
  return shade(COLUMNS, ROWS, (u, v, out) => {
    const value = Math.max(-1, Math.min(1, relief(u, v, seed & 0xffff, light_from_left ? -1 : 1)));
    const bright = value > 0 ? 255 : 0;
    out[0] = bright;
    out[1] = bright;
    out[2] = bright;
    out[3] = Math.sqrt(Math.abs(value));
  });
}

/** Every other copy is mirrored, so that no seam shows. */
export function coverWith(ctx: Ctx, texture: Bitmap, x: number, y: number, width: number, height: number): void {
  const tall = width * (ROWS / COLUMNS);
  ctx.imageSmoothingQuality = 'high';
  for (let copy = 0; copy * tall < height; copy++) {
    ctx.save();
    ctx.translate(x, y + copy * tall);
    if (copy % 2 === 1) {
      ctx.translate(0, tall);
      ctx.scale(1, -1);
    }
    ctx.drawImage(texture, 0, 0, width, tall);
    ctx.restore();
  }
}
