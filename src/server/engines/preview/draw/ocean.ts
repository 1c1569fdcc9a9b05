import { lighten, mixColors, saturate, toRgb } from '../color/color.ts';
import { fbm, smoothstep, valueNoise } from './noise.ts';
import { createShader } from './shade.ts';
import type { Sun } from './sky.ts';
import { field, type Plane, type Stage } from './stage.ts';

export interface OceanLook {
  horizon: number;
  sun: Sun;
  /** 0: a light breeze, 1: a storm with foam. */
  wind: number;
}

export function oceanPlane(stage: Stage, { horizon, sun, wind }: OceanLook): Plane {
  const { palette } = stage;
  const area = field(stage);
  const bottom = area.y + area.height;
  const seed = stage.random.fork('ocean').int(0, 9999);
  const sky_low = toRgb(mixColors(palette.sky[2], palette.light, 0.1));
  const sky_high = toRgb(mixColors(palette.sky[1], palette.sky[0], 0.35));
  const deep = toRgb(mixColors(palette.near, palette.mid, 0.35));
  const through = toRgb(saturate(mixColors(palette.mid, palette.sky[1], 0.35), 1.15));
  const foam = toRgb(lighten(mixColors(palette.light, palette.sky[2], 0.2), 0.01));
  const shine = toRgb(palette.light);
  const columns = Math.round(Math.min(1100, area.width * stage.scale * (stage.bleed > 0 ? 0.42 : 0.62)));
  const rows = Math.round((columns * (bottom - horizon)) / area.width);
  const shade = createShader();
  const across = area.width / 1000;
  const down = (bottom - horizon) / 1000;
  const aspect_at_sun = (sun.x - area.x) / area.width;
  const height = (x: number, y: number, time_s: number): number =>
    fbm(x * 1.1 + time_s * 0.22, y * 2.3 + time_s * 0.5, seed, 3) * 0.75 +
    (1 - Math.abs(2 * valueNoise(x * 2.6 - time_s * 0.3, y * 5.2 + time_s * 0.55, seed + 9) - 1)) * 0.25;
  return {
    depth: 0.14,
    live: true,
    paint(ctx, time_s) {
      const sheet = shade(columns, rows, (u, v, out) => {
        const near = v * down;
        const distance = 0.42 / (near + 0.02);
        const x = (u - 0.5) * across * distance * 5.2 + 40;
        const y = distance * 4.4 + 20;
        const step = 0.03 + distance * 0.012;
        const here = height(x, y, time_s);
        const slope = (height(x, y - step, time_s) - here) / step;
        const side = (height(x + step, y, time_s) - here) / step;
        const calm = 1 / (1 + distance * 0.16);
        const facing = slope * (0.42 + wind * 0.38) * calm;
        const mirror = Math.min(1, Math.max(0, 0.62 - near * 0.85 + facing * 0.95));
        const lift = Math.min(1, Math.max(0, 0.25 + facing * 1.4 + near * 0.5));
        const crest = smoothstep(0.52, 0.85, here) * (0.25 + 0.5 * wind) * smoothstep(0.02, 0.2, near);
        const beam = Math.abs(u - aspect_at_sun + side * 0.035 * calm) / (0.035 + near * 0.32);
        const glitter = smoothstep(0.25, 1.15, slope * 0.9 + 0.35) * Math.exp(-beam * beam) * (1 - near * 0.7);
        const white =
          wind > 0.3
            ? smoothstep(0.66, 0.78, here + (wind - 0.5) * 0.16 + side * 0.03) * wind * smoothstep(0.03, 0.14, near)
            : 0;
        for (let channel: 0 | 1 | 2 = 0; channel < 3; channel++) {
          const low = sky_low[channel] ?? 0;
          const sky = low + ((sky_high[channel] ?? 0) - low) * lift;
          const body = (deep[channel] ?? 0) + ((through[channel] ?? 0) - (deep[channel] ?? 0)) * crest;
          let value = body + (sky - body) * mirror;
          value += ((shine[channel] ?? 0) - value) * Math.min(1, glitter * 0.95);
          out[channel] = value + ((foam[channel] ?? 0) - value) * white * 0.85;
        }
        out[3] = 1;
      });
      ctx.imageSmoothingQuality = 'high';
      ctx.drawImage(sheet, area.x, horizon, area.width, bottom - horizon);
    },
  };
}
