import { css, lighten, mixColors, toRgb, type Color } from '../color/color.ts';
import { glow } from './light.ts';
import { fbm, ridged, smoothstep } from './noise.ts';
import { shade } from './shade.ts';
import type { Bitmap, Ctx, Plane, Stage } from './stage.ts';

export interface World {
  x: number;
  y: number;
  radius: number;
  depth: number;
  light_angle: number;
  ringed: boolean;
  label: string;
}

export function planetPlane(stage: Stage, world: World): Plane {
  const { palette } = stage;
  const random = stage.random.fork(world.label);
  const banded = random.chance(0.55);
  const seed = random.int(0, 9999);
  const base = random.pick([palette.accent, palette.accent_2, palette.sky[2], palette.far]);
  const tilt = random.range(-0.45, 0.45);
  const size = Math.min(420, Math.max(40, Math.round(world.radius * 2 * stage.scale)));
  const face = planetFace(size, seed, banded, base, palette.ink, palette.light, world.light_angle, tilt);
  return {
    depth: world.depth,
    paint(ctx) {
      ctx.translate(world.x, world.y);
      if (!stage.cutout) {
        ctx.globalCompositeOperation = 'screen';
        glow(
          ctx,
          Math.cos(world.light_angle) * world.radius * 0.25,
          Math.sin(world.light_angle) * world.radius * 0.25,
          world.radius * 1.55,
          mixColors(base, palette.light, 0.4),
          0.75,
        );
        ctx.globalCompositeOperation = 'source-over';
      }
      if (world.ringed) paintRing(ctx, world, tilt, base, palette.light, 'back', random.fork('ring'));
      ctx.save();
      ctx.beginPath();
      ctx.arc(0, 0, world.radius, 0, 7);
      ctx.clip();
      ctx.imageSmoothingQuality = 'high';
      ctx.drawImage(face, -world.radius, -world.radius, world.radius * 2, world.radius * 2);
      ctx.restore();
      if (world.ringed) paintRing(ctx, world, tilt, base, palette.light, 'front', random.fork('ring'));
    },
  };
}

function planetFace(
  size: number,
  seed: number,
  banded: boolean,
  base: Color,
  ink: Color,
  light: Color,
  angle: number,
  tilt: number,
): Bitmap {
  const dark = toRgb(mixColors(ink, base, 0.08));
  const tones = [lighten(base, 0.1), base, mixColors(base, ink, 0.4), mixColors(base, light, 0.55)].map(toRgb);
  const rim = toRgb(mixColors(base, light, 0.6));
  const light_x = Math.cos(angle) * 0.8;
  const light_y = Math.sin(angle) * 0.8;
  return shade(size, size, (u, v, out) => {
    const px = u * 2 - 1;
    const py = v * 2 - 1;
    const pz = Math.sqrt(Math.max(0, 1 - px * px - py * py));
    const qx = px * Math.cos(tilt) + py * Math.sin(tilt);
    const qy = py * Math.cos(tilt) - px * Math.sin(tilt);
    const around = Math.atan2(qx, pz + 0.001) * 1.4;
    const value = banded
      ? fbm(
          around * 0.5 + fbm(around * 2, qy * 5, seed + 2, 3) * 0.5,
          qy * 5.5 + fbm(around * 1.5, qy * 3, seed, 4) * 0.9,
          seed + 1,
          4,
        )
      : fbm(around * 2.1, qy * 2.1 + 5, seed, 6) * 0.8 + ridged(around * 2, qy * 2, seed + 4, 4) * 0.2;
    const scaled = Math.min(2.999, Math.max(0, (value - 0.22) * 5.2));
    const from = tones[Math.floor(scaled)] ?? dark;
    const to = tones[Math.floor(scaled) + 1] ?? from;
    const part = smoothstep(0, 1, scaled % 1);
    const lambert = px * light_x + py * light_y + pz * 0.6;
    const day = smoothstep(-0.12, 0.75, lambert);
    const edge = (1 - pz) ** 2.4 * smoothstep(-0.1, 0.5, lambert);
    for (let channel: 0 | 1 | 2 = 0; channel < 3; channel++) {
      const color = (from[channel] ?? 0) + ((to[channel] ?? 0) - (from[channel] ?? 0)) * part;
      const lit = (dark[channel] ?? 0) + (color - (dark[channel] ?? 0)) * day;
      out[channel] = lit + ((rim[channel] ?? 0) - lit) * Math.min(1, edge * 0.9);
    }
    out[3] = 1;
  });
}

function paintRing(
  ctx: Ctx,
  world: World,
  tilt: number,
  base: Color,
  light: Color,
  half: 'back' | 'front',
  random: Stage['random'],
): void {
  ctx.save();
  ctx.rotate(tilt);
  ctx.beginPath();
  const reach = world.radius * 3;
  ctx.rect(-reach, half === 'back' ? -reach : 0, reach * 2, reach);
  ctx.clip();
  ctx.scale(1, 0.24);
  const bands = 46;
  for (let band = 0; band < bands; band++) {
    const t = band / bands;
    const opacity =
      random.next() ** 0.8 * (t > 0.6 && t < 0.66 ? 0.05 : 0.75) * Math.sin(Math.PI * Math.min(1, t * 1.05)) ** 0.4;
    ctx.strokeStyle = css(mixColors(base, light, 0.35 + 0.5 * random.next()), opacity);
    ctx.lineWidth = (world.radius * 0.86) / bands + 0.4;
    ctx.beginPath();
    ctx.arc(0, 0, world.radius * (1.28 + 0.86 * t), 0, 7);
    ctx.stroke();
  }
  ctx.restore();
}
