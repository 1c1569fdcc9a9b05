import { hasWord } from '../brief/score.ts';
import { css, lighten, mixColors, saturate, toRgb, type Color } from '../color/color.ts';
import type { Random } from '../random.ts';
import { fbm, smoothstep } from './noise.ts';
import { glow, softEllipse, vertical } from './light.ts';
import { shade } from './shade.ts';
import { field, type Ctx, type Plane, type Stage } from './stage.ts';

export interface Sun {
  x: number;
  y: number;
  radius: number;
}

export function placeSun(stage: Stage, horizon: number, random: Random): Sun {
  const { width, height, brief } = stage;
  const low = hasWord(brief.words, 'sunset sunrise dawn dusk sundown evening golden_hour twilight');
  const aside = random.chance(0.5) ? random.range(0.18, 0.42) : random.range(0.58, 0.82);
  return {
    x: width * aside,
    y: horizon * (low ? random.range(0.66, 0.86) : random.range(0.26, 0.55)),
    radius: Math.min(width, height) * (low ? random.range(0.045, 0.08) : random.range(0.028, 0.05)),
  };
}

export function skyPlane(stage: Stage, horizon: number, sun: Sun): Plane {
  const { palette } = stage;
  const area = field(stage);
  const [zenith, middle, low] = palette.sky;
  return {
    depth: 0,
    paint(ctx) {
      ctx.fillStyle = vertical(ctx, 0, horizon, [
        [0, zenith],
        [0.22, mixColors(zenith, middle, 0.42)],
        [0.5, middle],
        [0.78, mixColors(middle, low, 0.62)],
        [1, low],
      ]);
      ctx.fillRect(area.x, area.y, area.width, area.height);
      const reach = Math.max(stage.width, horizon) * 0.95;
      ctx.globalCompositeOperation = 'screen';
      softEllipse(ctx, sun.x, horizon, stage.width * 0.9, horizon * 0.5, low, palette.night ? 0.18 : 0.35);
      glow(ctx, sun.x, sun.y, reach, mixColors(palette.light, low, 0.6), palette.night ? 0.28 : 0.6);
      glow(ctx, sun.x, sun.y, sun.radius * 5, palette.light, palette.night ? 0.32 : 0.55);
      ctx.globalCompositeOperation = 'source-over';
    },
  };
}

export function discPlane(stage: Stage, sun: Sun): Plane {
  const { palette } = stage;
  const seed = stage.brief.seed;
  return {
    depth: 0.02,
    paint(ctx) {
      if (!palette.night) {
        ctx.globalCompositeOperation = 'screen';
        glow(ctx, sun.x, sun.y, sun.radius * 2.4, palette.light, 0.8);
        ctx.globalCompositeOperation = 'source-over';
      }
      const disc = ctx.createRadialGradient(sun.x, sun.y, 0, sun.x, sun.y, sun.radius);
      const edge = palette.night ? palette.light : mixColors(palette.light, palette.sky[2], 0.45);
      disc.addColorStop(0, css(lighten(palette.light, 0.03)));
      disc.addColorStop(0.8, css(mixColors(palette.light, edge, 0.5)));
      disc.addColorStop(0.97, css(edge));
      disc.addColorStop(1, css(edge, palette.night ? 1 : 0.25));
      ctx.fillStyle = disc;
      ctx.beginPath();
      ctx.arc(sun.x, sun.y, sun.radius, 0, Math.PI * 2);
      ctx.fill();
      if (palette.night) paintMoonFace(ctx, sun, mixColors(palette.light, palette.sky[1], 0.35), seed);
    },
  };
}

function paintMoonFace(ctx: Ctx, sun: Sun, tone: Color, seed: number): void {
  const [r, g, b] = toRgb(tone);
  const face = shade(72, 72, (u, v, out) => {
    const from_center = Math.hypot(u - 0.5, v - 0.5) * 2;
    const seas = smoothstep(0.5, 0.66, fbm(u * 3.2, v * 3.2, seed, 4));
    out[0] = r;
    out[1] = g;
    out[2] = b;
    out[3] = Math.min(1, seas * 0.55 + smoothstep(0.55, 1, from_center) * 0.35);
  });
  ctx.save();
  ctx.beginPath();
  ctx.arc(sun.x, sun.y, sun.radius, 0, Math.PI * 2);
  ctx.clip();
  ctx.drawImage(face, sun.x - sun.radius, sun.y - sun.radius, sun.radius * 2, sun.radius * 2);
  ctx.restore();
}

export function starsPlane(stage: Stage, horizon: number, amount = 1): Plane {
  const random = stage.random.fork('stars');
  const area = field(stage);
  const stars = Array.from({ length: Math.round(420 * amount * stage.detail) }, () => ({
    x: area.x + random.next() * area.width,
    y: area.y + random.next() ** 1.25 * (horizon + stage.bleed),
    size: 0.35 + random.next() ** 7 * 1.9,
    glow: random.range(0.25, 1),
    pace: random.range(0.6, 2.2),
    warm: random.next(),
  }));
  const cool = mixColors(stage.palette.light, stage.palette.accent_2, 0.25);
  const warm = mixColors(stage.palette.light, stage.palette.accent, 0.25);
  return {
    depth: 0,
    live: true,
    paint(ctx, time_s) {
      for (const star of stars) {
        const fade = 1 - smoothstep(0.55, 1, star.y / horizon);
        const twinkle = 0.82 + 0.18 * Math.sin(time_s * star.pace * 3 + star.warm * 40);
        ctx.fillStyle = css(star.warm > 0.5 ? warm : cool, star.glow * fade * twinkle);
        ctx.beginPath();
        ctx.arc(star.x, star.y, star.size, 0, 7);
        ctx.fill();
        if (star.size > 1.5) glow(ctx, star.x, star.y, star.size * 5, cool, 0.35 * fade * twinkle);
      }
    },
  };
}

/** @param cover 0 to 1 */
export function cloudsPlane(stage: Stage, horizon: number, sun: Sun, cover: number): Plane {
  const { palette } = stage;
  const seed = stage.random.fork('clouds').int(0, 1 << 20);
  const area = field(stage);
  const height = horizon - area.y;
  const columns = Math.round(Math.min(560, 230 + 150 * stage.detail));
  const rows = Math.max(40, Math.round((columns * height) / area.width));
  const low = palette.sky[2];
  const shadow = toRgb(mixColors(palette.sky[1], palette.far, palette.night ? 0.3 : 0.45));
  const body = toRgb(mixColors(low, palette.light, 0.35));
  const lit = toRgb(saturate(lighten(mixColors(palette.light, low, 0.25), 0.02), 1.1));
  const density = (x: number, y: number): number => {
    const perspective = 0.5 + (1 - y) * 1.1;
    const warp = fbm(x * 2, y * 3, seed + 5, 2) - 0.5;
    return fbm((x * 3.4 + warp * 0.6) / perspective, (y * 7.5) / perspective + warp * 0.5, seed, 5);
  };
  const paintSheet = () =>
    shade(columns, rows, (u, v, out) => {
      const x = (u * area.width) / 1000;
      const y = (v * height) / 1000;
      const here = density(x, y);
      const edge = 0.62 - cover * 0.2 + (1 - smoothstep(0, 0.25, v)) * 0.06;
      const alpha = smoothstep(edge, edge + 0.17, here) * (1 - smoothstep(0.86, 1, v) * 0.8);
      if (alpha <= 0.003) {
        out[3] = 0;
        return;
      }
      const to_x = (sun.x - area.x - u * area.width) / 1000;
      const to_y = (sun.y - area.y - v * height) / 1000;
      const distance = Math.hypot(to_x, to_y) + 0.12;
      const toward = density(x + (to_x / distance) * 0.035, y + (to_y / distance) * 0.035);
      const bright = Math.min(1, Math.max(0, 0.5 + (here - toward) * 5.5));
      const near_sun = 1 - smoothstep(0, 0.75, distance);
      const amount = Math.min(1, bright * (0.75 + near_sun * 0.6));
      const to_body = Math.min(1, amount * 1.6);
      const to_lit = Math.max(0, amount * 1.5 - 0.55);
      for (let channel: 0 | 1 | 2 = 0; channel < 3; channel++) {
        const dark = shadow[channel] ?? 0;
        const base = dark + ((body[channel] ?? 0) - dark) * to_body;
        out[channel] = base + ((lit[channel] ?? 0) - base) * to_lit;
      }
      out[3] = alpha * 0.93;
    });
  return {
    depth: 0.05,
    drift: { x: stage.random.fork('wind').chance(0.5) ? 5 : -5, y: 0 },
    paint(ctx) {
      ctx.imageSmoothingQuality = 'high';
      ctx.drawImage(paintSheet(), area.x, area.y, area.width, height);
    },
  };
}
