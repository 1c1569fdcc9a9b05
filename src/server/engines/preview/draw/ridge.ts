import { css, lighten, mixColors, saturate, type Color } from '../color/color.ts';
import { fbm, ridged } from './noise.ts';
import { vertical } from './light.ts';
import { coverWith } from './texture.ts';
import type { Bitmap, Ctx, Stage } from './stage.ts';

export interface Ridge {
  /** Height of the crest at x, in units from the top. */
  at(x: number): number;
  bottom: number;
}

export type RidgeForm = 'peaks' | 'hills' | 'dunes' | 'mesa';

const forms = {
  peaks: (x: number, seed: number, octaves: number) => ridged(x * 1.15, 0.3, seed, octaves) * 1.15,
  hills: (x: number, seed: number) => fbm(x * 0.9, 0.7, seed, 3),
  dunes: (x: number, seed: number) => {
    const swell = fbm(x * 0.7 + 3, 0.2, seed, 2);
    return swell ** 1.3 + 0.02 * fbm(x * 6, 0, seed + 3, 2);
  },
  mesa: (x: number, seed: number) => {
    const rough = fbm(x * 1.1, 0.5, seed, 3);
    const step = 1 / (1 + Math.exp(-(rough - 0.52) * 38));
    return step * 0.75 + rough * 0.3 + fbm(x * 14, 1, seed, 2) * 0.04;
  },
} as const satisfies Record<RidgeForm, (x: number, seed: number, octaves: number) => number>;

/** @param relief how far the crest rises above `base` at most, in units */
export function createRidge(form: RidgeForm, base: number, relief: number, seed: number, roughness = 6): Ridge {
  return { at: (x) => base - forms[form](x / 420 + (seed % 97), seed, roughness) * relief, bottom: base };
}

function traceRidge(ctx: Ctx, ridge: Ridge, from: number, to: number, floor: number, step: number): void {
  ctx.beginPath();
  ctx.moveTo(from, floor);
  for (let x = from; x <= to + step; x += step) ctx.lineTo(x, ridge.at(x));
  ctx.lineTo(to + step, floor);
  ctx.closePath();
}

export interface RidgeLook {
  color: Color;
  mist: Color;
  mist_strength: number;
  light: Color;
  /** 0 to 1: how strongly rock texture shows. */
  relief: number;
  texture: Bitmap | null;
  snow: number;
}

export function paintRidge(ctx: Ctx, stage: Stage, ridge: Ridge, floor: number, look: RidgeLook): void {
  const from = -stage.bleed;
  const to = stage.width + stage.bleed;
  const step = Math.max(0.8, 2.2 / stage.scale);
  let top = floor;
  for (let x = from; x < to; x += 12) top = Math.min(top, ridge.at(x));
  ctx.save();
  traceRidge(ctx, ridge, from, to, floor, step);
  ctx.fillStyle = vertical(ctx, top, floor, [
    [0, lighten(look.color, 0.015)],
    [0.55, look.color],
    [1, mixColors(look.color, look.mist, 0.2)],
  ]);
  ctx.fill();
  ctx.clip();
  const depth = Math.max(60, floor - top);
  if (look.snow > 0) {
    ctx.fillStyle = vertical(ctx, top, top + depth * look.snow, [
      [0, mixColors(look.light, look.mist, 0.25), 0.95],
      [0.6, mixColors(look.light, look.mist, 0.4), 0.6],
      [1, look.mist, 0],
    ]);
    ctx.fillRect(from, top, to - from, depth * look.snow);
  }
  if (look.texture) {
    ctx.globalCompositeOperation = 'soft-light';
    ctx.globalAlpha = look.relief;
    coverWith(ctx, look.texture, from, top, to - from, depth);
    ctx.globalAlpha = 1;
    ctx.globalCompositeOperation = 'source-over';
  }
  ctx.fillStyle = vertical(ctx, top + depth * 0.25, floor, [
    [0, look.mist, 0],
    [0.55, look.mist, look.mist_strength * 0.42],
    [1, look.mist, look.mist_strength],
  ]);
  ctx.fillRect(from, top, to - from, floor - top + 1);
  ctx.restore();
  ctx.lineWidth = 1.1;
  ctx.strokeStyle = css(saturate(mixColors(look.color, look.light, 0.5), 1.1), 0.35);
  ctx.beginPath();
  for (let x = from; x <= to; x += step) ctx.lineTo(x, ridge.at(x) + 0.4);
  ctx.stroke();
}
