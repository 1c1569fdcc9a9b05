import { hex, mixColors, toRgb } from '../color/color.ts';
import { fbm, smoothstep } from './noise.ts';
import { createShader } from './shade.ts';
import { field, type Plane, type Stage } from './stage.ts';

export function auroraPlane(stage: Stage, horizon: number): Plane {
  const { palette } = stage;
  const area = field(stage);
  const tall = horizon - area.y;
  const seed = stage.random.fork('aurora').int(0, 9999);
  const low = toRgb(mixColors(hex('#5bf0b0'), palette.accent, 0.15));
  const high = toRgb(mixColors(hex('#a46bff'), palette.accent_2, 0.2));
  const shade = createShader();
  const curtains = [
    { base: 0.82, bend: 1.4, reach: 0.62, strength: 1 },
    { base: 0.6, bend: 2.1, reach: 0.5, strength: 0.75 },
    { base: 0.42, bend: 1.1, reach: 0.42, strength: 0.5 },
  ];
  return {
    depth: 0.03,
    live: true,
    blend: 'screen',
    paint(ctx, time_s) {
      const columns = 260;
      const sheet = shade(columns, (columns * tall) / area.width, (u, v, out) => {
        let strength = 0;
        let height = 0;
        curtains.forEach((curtain, index) => {
          const fold = fbm(u * curtain.bend * 2.4 + index * 7 + time_s * 0.03, time_s * 0.06 + index, seed, 3);
          const foot = curtain.base + (fold - 0.5) * 0.75;
          const above = (foot - v) / curtain.reach;
          if (above < -0.06 || above > 1) return;
          const rays = 0.55 + 0.45 * fbm(u * 46 + fold * 16, index * 3 + time_s * 0.25, seed + 5, 2);
          const light =
            smoothstep(-0.06, 0.03, above) * (1 - smoothstep(0.02, 1, above)) ** 1.3 * rays * curtain.strength;
          if (light > strength) height = above;
          strength = Math.min(1, strength + light * 0.85);
        });
        const tone = smoothstep(0.12, 0.75, height);
        out[0] = low[0] + (high[0] - low[0]) * tone;
        out[1] = low[1] + (high[1] - low[1]) * tone;
        out[2] = low[2] + (high[2] - low[2]) * tone;
        out[3] = strength * 0.9;
      });
      ctx.imageSmoothingQuality = 'high';
      ctx.drawImage(sheet, area.x, area.y, area.width, tall);
    },
  };
}
