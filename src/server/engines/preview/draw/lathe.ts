import { css, lighten, mixColors, toRgb, type Color } from '../color/color.ts';
import { smoothstep } from './noise.ts';
import { shade } from './shade.ts';
import { softEllipse } from './light.ts';
import type { Ctx } from './stage.ts';

export type Profile = readonly (readonly [y: number, radius: number])[];

export interface Turned {
  profile: Profile;
  color: Color;
  /** 0: matte clay, 1: polished. */
  gloss: number;
  /** 0: solid, 1: clear glass. */
  clear?: number;
  /** The top is open and shows the inside. */
  open?: boolean;
  lid?: boolean;
}

export interface StudioLight {
  color: Color;
  ground: Color;
  ink: Color;
  from_left: boolean;
}

export function radiusAt(profile: Profile, y: number): number {
  for (let index = 1; index < profile.length; index++) {
    const from = profile[index - 1];
    const to = profile[index];
    if (!from || !to || y > to[0]) continue;
    const before = profile[index - 2] ?? from;
    const after = profile[index + 1] ?? to;
    const span = to[0] - from[0] || 1;
    const t = Math.min(1, Math.max(0, (y - from[0]) / span));
    const slope_from = ((to[1] - before[1]) / (to[0] - before[0] || 1)) * span;
    const slope_to = ((after[1] - from[1]) / (after[0] - from[0] || 1)) * span;
    const t2 = t * t;
    const t3 = t2 * t;
    return Math.max(
      0,
      (2 * t3 - 3 * t2 + 1) * from[1] +
        (t3 - 2 * t2 + t) * slope_from +
        (3 * t2 - 2 * t3) * to[1] +
        (t3 - t2) * slope_to,
    );
  }
  return profile.at(-1)?.[1] ?? 0;
}

const TILT = 0.2;

export function paintTurned(ctx: Ctx, object: Turned, x: number, y: number, height: number, light: StudioLight): void {
  const { profile } = object;
  const widest = Math.max(...profile.map(([, radius]) => radius)) * height;
  const side = light.from_left ? 1 : -1;
  const foot = radiusAt(profile, 0) * height;
  softEllipse(ctx, x + side * widest * 0.85, y + widest * 0.04, widest * 2.1, widest * 0.42, light.ink, 0.34);
  softEllipse(
    ctx,
    x + side * foot * 0.12,
    y + 1,
    Math.max(foot, widest * 0.5) * 1.25,
    Math.max(foot, widest * 0.5) * 0.34,
    light.ink,
    0.6,
  );
  const outline = (): void => {
    ctx.beginPath();
    const steps = 64;
    for (let step = 0; step <= steps; step++)
      ctx.lineTo(x + radiusAt(profile, step / steps) * height, y - (step / steps) * height);
    const top = radiusAt(profile, 1) * height;
    ctx.ellipse(x, y - height, Math.max(0.01, top), Math.max(0.01, top * TILT), 0, 0, Math.PI, true);
    for (let step = steps; step >= 0; step--)
      ctx.lineTo(x - radiusAt(profile, step / steps) * height, y - (step / steps) * height);
    ctx.ellipse(x, y, Math.max(0.01, foot), Math.max(0.01, foot * TILT), 0, Math.PI, 0, true);
    ctx.closePath();
  };
  const margin = widest * (1 + TILT);
  ctx.save();
  outline();
  ctx.clip();
  ctx.imageSmoothingQuality = 'high';
  ctx.drawImage(surface(object, widest / height, light), x - widest, y - height, widest * 2, height);
  const body = surfaceTint(object, light);
  ctx.fillStyle = css(body, object.clear ? 0.25 : 1);
  ctx.fillRect(x - widest, y - 0.5, widest * 2, margin);
  ctx.restore();
  if (object.lid) paintLid(ctx, object, x, y - height, radiusAt(profile, 1) * height, light);
  if (object.open) paintOpening(ctx, object, x, y - height, radiusAt(profile, 1) * height, light);
}

const surfaceTint = (object: Turned, light: StudioLight): Color => mixColors(object.color, light.ink, 0.35);

function paintLid(ctx: Ctx, object: Turned, x: number, y: number, radius: number, light: StudioLight): void {
  const face = ctx.createLinearGradient(x - radius, y, x + radius, y);
  const [near, far] = light.from_left ? [0, 1] : [1, 0];
  face.addColorStop(near, css(mixColors(lighten(object.color, 0.06), light.color, 0.4)));
  face.addColorStop(far, css(mixColors(object.color, light.color, 0.12)));
  ctx.fillStyle = face;
  ctx.beginPath();
  ctx.ellipse(x, y, radius, radius * TILT, 0, 0, 7);
  ctx.fill();
}

function paintOpening(ctx: Ctx, object: Turned, x: number, y: number, radius: number, light: StudioLight): void {
  const inside = ctx.createLinearGradient(x - radius, 0, x + radius, 0);
  const [near, far] = light.from_left ? [0, 1] : [1, 0];
  inside.addColorStop(near, css(mixColors(object.color, light.ink, 0.62), object.clear ? 0.3 : 1));
  inside.addColorStop(far, css(mixColors(object.color, light.ink, 0.2), object.clear ? 0.2 : 1));
  ctx.fillStyle = inside;
  ctx.beginPath();
  ctx.ellipse(x, y, radius * 0.97, radius * TILT * 0.92, 0, 0, 7);
  ctx.fill();
  ctx.strokeStyle = css(mixColors(lighten(object.color, 0.1), light.color, 0.4), 0.9);
  ctx.lineWidth = Math.max(0.8, radius * 0.045);
  ctx.beginPath();
  ctx.ellipse(x, y, radius, radius * TILT, 0, 0, 7);
  ctx.stroke();
}

function surface(object: Turned, aspect: number, light: StudioLight): ReturnType<typeof shade> {
  const rows = 170;
  const columns = Math.max(24, Math.min(220, Math.round(rows * aspect * 2)));
  const base = toRgb(object.color);
  const dark = toRgb(mixColors(lighten(object.color, -0.16), light.ink, 0.45));
  const bounce = toRgb(mixColors(object.color, light.ground, 0.6));
  const white = toRgb(light.color);
  const side = light.from_left ? -1 : 1;
  const clear = object.clear ?? 0;
  const widest = aspect;
  const radii = Array.from({ length: rows + 2 }, (_, row) => radiusAt(object.profile, 1 - (row - 0.5) / rows));
  return shade(columns, rows, (u, v, out) => {
    const row = Math.min(rows, Math.max(1, Math.round(v * rows + 0.5)));
    const radius = Math.max(0.004, radii[row] ?? 0);
    const slope = (((radii[row + 1] ?? radius) - (radii[row - 1] ?? radius)) * rows) / 2;
    const nx = Math.max(-1, Math.min(1, ((u * 2 - 1) * widest) / radius));
    const flat = 1 / Math.sqrt(1 + slope * slope);
    const ny = -slope * flat;
    const nz = Math.sqrt(Math.max(0, 1 - nx * nx)) * flat;
    const sx = nx * flat;
    const key = Math.max(0, sx * side * 0.62 - ny * 0.5 + nz * 0.6);
    const lit = smoothstep(-0.05, 1, key);
    const under = Math.max(0, ny * 0.7 + 0.15) * 0.5 + smoothstep(0.82, 1, v) * 0.25;
    const box = smoothstep(0.1, 0, Math.abs(sx * side - 0.52) - 0.1) * smoothstep(0.5, 0.2, Math.abs(ny));
    const strip = smoothstep(0.06, 0, Math.abs(sx * side + 0.82) - 0.03);
    const edge = (1 - Math.sqrt(Math.max(0, 1 - nx * nx))) ** 2;
    const shine = object.gloss * (box * 0.85 + strip * 0.32) + (1 - object.gloss) * box * 0.12;
    for (let channel: 0 | 1 | 2 = 0; channel < 3; channel++) {
      let value = (dark[channel] ?? 0) + ((base[channel] ?? 0) - (dark[channel] ?? 0)) * lit;
      value += ((white[channel] ?? 0) - value) * lit * lit * 0.22;
      value += ((bounce[channel] ?? 0) - value) * under;
      value += ((white[channel] ?? 0) - value) * Math.min(1, shine);
      out[channel] = value;
    }
    out[3] = 1 - clear * (1 - Math.min(1, edge * 1.5 + shine + 0.24));
  });
}
