import { hasWord } from '../brief/score.ts';
import { lighten, mixColors, saturate, type Color } from '../color/color.ts';
import { neonSign, paintBlocks, rowOfBlocks } from '../draw/buildings.ts';
import { cloudsPlane, discPlane, placeSun, skyPlane, starsPlane } from '../draw/sky.ts';
import type { Plane, Stage } from '../draw/stage.ts';
import { subjectPlanes } from '../draw/subjects.ts';
import { street } from './street.ts';
import { waterPlane } from '../draw/water.ts';

const STREET_WORDS =
  'street alley cyberpunk market night_market cafe restaurant shop store traffic taxi subway downtown station crosswalk';

export const city = (stage: Stage): Plane[] =>
  hasWord(stage.brief.words, STREET_WORDS) && !hasWord(stage.brief.words, 'skyline bridge')
    ? street(stage)
    : skyline(stage);

function skyline(stage: Stage): Plane[] {
  const { palette, width, height } = stage;
  const random = stage.random.fork('city');
  const base = height * random.range(0.68, 0.78);
  const sun = placeSun(stage, base * 0.92, random);
  const peak_x = width * random.range(0.3, 0.7);
  const neon =
    hasWord(stage.brief.words, 'neon cyberpunk synthwave futuristic tokyo hong_kong night_market') && palette.night;
  const planes: Plane[] = [skyPlane(stage, base, sun)];
  if (palette.night) planes.push(starsPlane(stage, base * 0.8, 0.5));
  planes.push(discPlane(stage, sun), cloudsPlane(stage, base * 0.9, sun, random.range(0.25, 0.7)));
  for (const [index, t] of [0, 0.34, 0.68, 1].entries()) {
    planes.push(rowPlane(stage, { t, index, base, sun_x: sun.x, peak_x, neon }));
  }
  planes.push(waterPlane(stage, { horizon: base, sun, deep: mixColors(palette.near, palette.sky[0], 0.3), chop: 0.5 }));
  planes.push(
    ...subjectPlanes(stage, sun, {
      water: { depth: 0.5, at: () => base + (height - base) * 0.45 },
      sky: { depth: 0.2, at: () => base * 0.3 },
    }),
  );
  return planes;
}

interface Row {
  t: number;
  index: number;
  base: number;
  sun_x: number;
  peak_x: number;
  neon: boolean;
}

function rowPlane(stage: Stage, { t, index, base, sun_x, peak_x, neon }: Row): Plane {
  const { palette, width, height } = stage;
  const random = stage.random.fork(`row ${index}`);
  const tallest = Math.min(base * 0.9, Math.max(height * 0.34, Math.min(width, height) * 0.72)) * (1.02 - t * 0.52);
  const size = Math.min(width, height) * (0.05 + 0.055 * t);
  const blocks = rowOfBlocks(
    stage,
    base,
    tallest,
    size,
    peak_x + random.range(-0.2, 0.2) * width,
    random.fork('blocks'),
  );
  const color = mixColors(mixColors(palette.far, palette.sky[2], 0.25), lighten(palette.near, 0.02), t ** 0.8);
  const warm = mixColors(palette.light, palette.accent, 0.35);
  const windows: [Color, ...Color[]] = neon
    ? [palette.accent, palette.accent_2, palette.light, saturate(palette.accent, 1.2)]
    : [warm, palette.light, mixColors(palette.light, palette.accent_2, 0.4)];
  return {
    depth: 0.1 + 0.3 * t,
    paint(ctx) {
      paintBlocks(
        ctx,
        blocks,
        base,
        {
          color,
          haze: mixColors(palette.sky[2], palette.light, 0.1),
          haze_strength: 0.75 - 0.5 * t,
          windows,
          lit: (palette.night ? 0.42 : 0.16) * (0.5 + 0.5 * t),
          window_size: 1.9 + 2.1 * t,
          light: palette.night ? mixColors(palette.sky[2], palette.accent, 0.3) : palette.light,
          light_from_left: sun_x < width / 2,
        },
        random.fork('paint'),
      );
      if (!neon || t < 0.3) return;
      for (const block of blocks) {
        if (!random.chance(0.34)) continue;
        const tall = random.range(0.16, 0.34) * Math.min(base - block.top, 220);
        neonSign(
          ctx,
          block.x + block.width * random.range(0.2, 0.8),
          block.top + tall * 0.4,
          tall,
          random.pick([palette.accent, palette.accent_2, palette.light]),
          random,
        );
      }
    },
  };
}
