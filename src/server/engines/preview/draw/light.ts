import { Path2D } from '@napi-rs/canvas';
import { css, type Color } from '../color/color.ts';
import type { Ctx } from './stage.ts';

export type Stop = readonly [at: number, color: Color, alpha?: number];

export function vertical(
  ctx: Ctx,
  top: number,
  bottom: number,
  stops: readonly Stop[],
): ReturnType<Ctx['createLinearGradient']> {
  const gradient = ctx.createLinearGradient(0, top, 0, bottom);
  for (const [at, color, alpha] of stops) gradient.addColorStop(at, css(color, alpha));
  return gradient;
}

export function glow(ctx: Ctx, x: number, y: number, radius: number, color: Color, strength: number): void {
  const gradient = ctx.createRadialGradient(x, y, 0, x, y, radius);
  for (const at of [0, 0.1, 0.22, 0.36, 0.52, 0.7, 0.86, 1]) {
    gradient.addColorStop(at, css(color, strength * (1 - at) ** 2.6));
  }
  ctx.fillStyle = gradient;
  ctx.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}

export function softEllipse(
  ctx: Ctx,
  x: number,
  y: number,
  radius_x: number,
  radius_y: number,
  color: Color,
  strength: number,
): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(1, radius_y / radius_x);
  const gradient = ctx.createRadialGradient(0, 0, 0, 0, 0, radius_x);
  for (const at of [0, 0.25, 0.45, 0.65, 0.82, 1]) {
    gradient.addColorStop(at, css(color, strength * (1 - at * at) ** 2));
  }
  ctx.fillStyle = gradient;
  ctx.fillRect(-radius_x, -radius_x, radius_x * 2, radius_x * 2);
  ctx.restore();
}

// oxlint-disable-next-line unicorn/no-array-fill-with-reference-type -- the fill of a canvas, not of an array
export const fillPath = (ctx: Ctx, path: string): void => ctx.fill(new Path2D(path), 'nonzero');
