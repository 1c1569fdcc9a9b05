import { hasWord } from '../brief/score.ts';
import { lighten, mixColors, saturate } from '../color/color.ts';
import { createRidge, paintRidge, rockTexture, type Ridge, type RidgeForm } from '../draw/ridge.ts';
import { cloudsPlane, discPlane, skyPlane, starsPlane, type Sun } from '../draw/sky.ts';
import { field, type Plane, type Stage } from '../draw/stage.ts';
import { waterPlane } from '../draw/water.ts';
import { css } from '../color/color.ts';
import { pine, broadleaf } from '../draw/trees.ts';
import { meadowPlane } from '../draw/meadow.ts';

type Terrain = 'lake' | 'valley' | 'hills' | 'dunes' | 'mesa';

const TERRAIN_WORDS: readonly [Terrain, string][] = [
  ['dunes', 'dune sahara sand desert'],
  ['mesa', 'canyon mesa cactus western cowboy arizona mars'],
  ['lake', 'lake reflection fjord pond still_water river glacier mirror'],
  [
    'hills',
    'hill meadow field farm countryside vineyard savanna prairie grass wheat flower village tuscany windmill turbine lavender tree',
  ],
  ['valley', 'mountain forest pine valley wood alp peak jungle fog mist'],
];

const FORMS = {
  lake: 'peaks',
  valley: 'peaks',
  hills: 'hills',
  dunes: 'dunes',
  mesa: 'mesa',
} as const satisfies Record<Terrain, RidgeForm>;

const terrainOf = (stage: Stage): Terrain =>
  TERRAIN_WORDS.find(([, words]) => hasWord(stage.brief.words, words))?.[0] ??
  stage.random.fork('terrain').pick(['lake', 'valley', 'hills', 'valley', 'lake']);

/** Ranges of land one behind another under an open sky. */
export function landscape(stage: Stage): Plane[] {
  const { palette, brief, width, height } = stage;
  const random = stage.random.fork('landscape');
  const terrain = terrainOf(stage);
  const form = FORMS[terrain];
  const tall = height > width * 1.2;
  const horizon = height * (terrain === 'lake' ? random.range(0.56, 0.64) : random.range(0.62, 0.74));
  const sun: Sun = {
    x: width * (random.chance(0.5) ? random.range(0.2, 0.42) : random.range(0.58, 0.8)),
    y: horizon * random.range(0.34, 0.62),
    radius: Math.min(width, height) * random.range(0.038, 0.075),
  };
  const foggy = brief.weather.includes('fog') || brief.weather.includes('rain');
  const relief = Math.min(width, height) * (form === 'peaks' ? 0.34 : 0.16) * (tall ? 1.25 : 1);
  const texture = form === 'peaks' || form === 'mesa' ? rockTexture(brief.seed, sun.x < width / 2) : null;
  const snowy =
    form === 'peaks' && (hasWord(brief.words, 'snow snowy alp winter glacier peak ice') || random.chance(0.3));
  const count = terrain === 'lake' ? 3 : 5;
  const planes: Plane[] = [skyPlane(stage, horizon, sun)];
  if (palette.night) planes.push(starsPlane(stage, horizon));
  planes.push(discPlane(stage, sun), cloudsPlane(stage, horizon, sun, foggy ? 0.75 : random.range(0.2, 0.75)));
  const floor = terrain === 'lake' ? horizon + 2 : field(stage).y + field(stage).height;
  for (let index = 0; index < count; index++) {
    const t = index / (count - 1);
    const base =
      terrain === 'lake' ? horizon + 2 - (1 - t) * 10 : horizon - relief * 0.06 + (height - horizon) * t ** 1.25 * 0.86;
    const ridge = createRidge(
      form,
      base,
      relief * (terrain === 'lake' ? 1 - t * 0.62 : 1 - t * 0.42),
      random.int(0, 9999),
      4 + index,
    );
    planes.push(
      rangePlane(stage, { ridge, floor, t, terrain, sun, texture, snow: snowy && t < 0.6 ? 0.5 - t * 0.3 : 0, foggy }),
    );
  }
  if (terrain === 'lake') {
    planes.push(
      waterPlane(stage, { horizon, sun, deep: mixColors(palette.mid, palette.near, 0.5), chop: 0.25 }),
      shorePlane(stage),
    );
  }
  return planes;
}

interface Range {
  ridge: Ridge;
  floor: number;
  t: number;
  terrain: Terrain;
  sun: Sun;
  texture: ReturnType<typeof rockTexture> | null;
  snow: number;
  foggy: boolean;
}

function rangePlane(stage: Stage, range: Range): Plane {
  const { palette } = stage;
  const { t, terrain, ridge, sun } = range;
  const random = stage.random.fork(`range ${t}`);
  const color = t < 0.5 ? mixColors(palette.far, palette.mid, t * 2) : mixColors(palette.mid, palette.near, t * 2 - 1);
  const hazy = mixColors(color, palette.sky[2], (1 - t) * (range.foggy ? 0.5 : 0.28));
  const mist = mixColors(palette.sky[2], palette.light, 0.15);
  const wooded = (terrain === 'valley' && t >= 0.45) || (terrain === 'lake' && t > 0.9);
  return {
    depth: 0.1 + 0.75 * t ** 1.3,
    paint(ctx) {
      if (wooded) forest(stage, range, hazy, random.fork('trees'), ctx);
      paintRidge(ctx, stage, ridge, range.floor, {
        color: hazy,
        mist,
        mist_strength: (range.foggy ? 0.85 : 0.6) * (1 - t * 0.85),
        light: palette.light,
        relief: wooded ? 0.12 : 0.5 * (1 - t * 0.4),
        texture: range.texture,
        snow: range.snow,
      });
      if (terrain === 'hills' && t > 0.2 && t < 0.95) {
        const trees = random.fork('crowns');
        for (let count = trees.int(1, 4); count > 0; count--) {
          const x = trees.range(0, stage.width);
          broadleaf(
            ctx,
            x,
            ridge.at(x) + 2,
            (26 + 90 * t * t) * trees.range(0.8, 1.3),
            { trunk: lighten(hazy, -0.1), leaf: saturate(lighten(hazy, -0.05), 1.15), light: palette.light },
            trees,
            sun.x,
          );
        }
      }
      if (terrain === 'hills' && t === 1) meadowPlane(stage, ridge).paint(ctx, 0);
    },
  };
}

function forest(
  stage: Stage,
  range: Range,
  color: ReturnType<typeof mixColors>,
  random: Stage['random'],
  ctx: Parameters<Plane['paint']>[0],
): void {
  const { ridge, t, terrain } = range;
  const size = terrain === 'lake' ? 20 : 16 + 80 * t * t;
  ctx.fillStyle = css(lighten(color, -0.02));
  ctx.beginPath();
  let x = -stage.bleed;
  while (x < stage.width + stage.bleed) {
    const grove = 0.55 + 0.45 * Math.sin(x / (90 + 60 * t) + t * 9);
    const tall = size * random.range(0.55, 1.25) * (0.6 + grove * 0.55);
    pine(ctx, x, ridge.at(x) + size * 0.1, tall, random);
    x += size * random.range(0.16, 0.42);
  }
  ctx.fill();
}

/** Dark reeds and a bank at the near edge of a lake. */
function shorePlane(stage: Stage): Plane {
  const { palette, width, height } = stage;
  const random = stage.random.fork('shore');
  const left = random.chance(0.5);
  const ridge: Ridge = {
    at: (x) => {
      const along = left ? x / width : 1 - x / width;
      return height * (0.9 + 0.16 * along) + Math.sin(x / 34) * 3 + Math.sin(x / 11) * 1.4;
    },
    bottom: height,
  };
  return {
    depth: 1,
    paint(ctx) {
      ctx.fillStyle = css(palette.near);
      ctx.beginPath();
      for (let x = -stage.bleed; x < width + stage.bleed; x += random.range(3, 26)) {
        const along = left ? x / width : 1 - x / width;
        if (along < 0.42 && random.chance(0.35))
          pine(ctx, x, ridge.at(x) + 6, random.range(70, 210) * (1 - along), random);
      }
      ctx.fill();
      ctx.beginPath();
      ctx.moveTo(-stage.bleed, height + stage.bleed);
      for (let x = -stage.bleed; x <= width + stage.bleed; x += 3) ctx.lineTo(x, ridge.at(x));
      ctx.lineTo(width + stage.bleed, height + stage.bleed);
      ctx.fill();
      ctx.strokeStyle = css(palette.near);
      ctx.lineWidth = 1;
      for (let reed = 0; reed < 160 * stage.detail; reed++) {
        const x = random.range(-stage.bleed, width + stage.bleed);
        const tall = random.range(6, 26);
        const bend = random.range(-7, 7);
        ctx.beginPath();
        ctx.moveTo(x, ridge.at(x) + 3);
        ctx.quadraticCurveTo(x + bend * 0.2, ridge.at(x) - tall * 0.6, x + bend, ridge.at(x) - tall);
        ctx.stroke();
      }
    },
  };
}
