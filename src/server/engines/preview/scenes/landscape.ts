import { hasWord } from '../brief/score.ts';
import { css, lighten, mixColors, saturate, type Color } from '../color/color.ts';
import { auroraPlane } from '../draw/aurora.ts';
import { forestOn, shorePlane, standPlane } from '../draw/forest.ts';
import { paintMeadow } from '../draw/meadow.ts';
import { mistPlane, mistSheet } from '../draw/mist.ts';
import { createRidge, paintRidge, type Ridge, type RidgeForm } from '../draw/ridge.ts';
import { cloudsPlane, discPlane, placeSun, skyPlane, starsPlane, type Sun } from '../draw/sky.ts';
import { field, type Bitmap, type Plane, type Stage } from '../draw/stage.ts';
import { subjectPlanes } from '../draw/subjects.ts';
import { groundTexture, type Ground } from '../draw/texture.ts';
import { broadleaf } from '../draw/trees.ts';
import { waterPlane } from '../draw/water.ts';

type Terrain = 'lake' | 'valley' | 'hills' | 'dunes' | 'mesa';

const TERRAIN_WORDS: readonly [Terrain, string][] = [
  ['dunes', 'dune sahara sand desert egypt pyramid'],
  ['mesa', 'canyon mesa cactus western cowboy arizona mars'],
  ['lake', 'lake reflection fjord pond still_water river glacier mirror'],
  [
    'hills',
    'hill meadow field farm countryside vineyard savanna prairie grass wheat flower village tuscany windmill turbine lavender tree orchard horse cow sheep',
  ],
  ['valley', 'mountain forest pine valley wood alp peak jungle fog mist'],
];

interface Land {
  form: RidgeForm;
  ground: Ground | null;
  /** As a share of the shorter side. */
  relief: number;
  ranges: number;
}

const LANDS = {
  lake: { form: 'peaks', ground: 'rock', relief: 0.34, ranges: 3 },
  valley: { form: 'peaks', ground: 'rock', relief: 0.36, ranges: 5 },
  hills: { form: 'hills', ground: null, relief: 0.18, ranges: 5 },
  dunes: { form: 'dunes', ground: 'sand', relief: 0.3, ranges: 4 },
  mesa: { form: 'mesa', ground: 'strata', relief: 0.3, ranges: 4 },
} as const satisfies Record<Terrain, Land>;

const terrainOf = (stage: Stage): Terrain =>
  TERRAIN_WORDS.find(([, words]) => hasWord(stage.brief.words, words))?.[0] ??
  stage.random.fork('terrain').pick(['lake', 'valley', 'hills', 'valley', 'lake', 'dunes']);

export function landscape(stage: Stage): Plane[] {
  const { palette, brief, width, height } = stage;
  const random = stage.random.fork('landscape');
  const terrain = terrainOf(stage);
  const land: Land = LANDS[terrain];
  const lake = terrain === 'lake';
  const horizon = height * (lake ? random.range(0.54, 0.62) : random.range(0.56, 0.68));
  const sun = placeSun(stage, horizon * 0.96, random);
  const foggy = brief.weather.includes('fog') || brief.weather.includes('rain');
  const relief = Math.min(width, height) * land.relief * (height > width * 1.2 ? 1.25 : 1);
  const texture = land.ground ? groundTexture(land.ground, brief.seed, sun.x < width / 2) : null;
  const snowy =
    land.form === 'peaks' &&
    (hasWord(brief.words, 'snow snowy alp alpine winter glacier peak ice') || random.chance(0.35));
  const mist = mistSheet(brief.seed & 0xffff, mixColors(palette.sky[2], palette.light, 0.2));
  const planes: Plane[] = [skyPlane(stage, horizon, sun)];
  if (palette.night) planes.push(starsPlane(stage, horizon));
  if (hasWord(brief.words, 'aurora northern_light borealis')) planes.push(auroraPlane(stage, horizon));
  planes.push(discPlane(stage, sun), cloudsPlane(stage, horizon, sun, foggy ? 0.7 : random.range(0.15, 0.75)));
  const floor = lake ? horizon + 2 : field(stage).y + field(stage).height;
  let stand: Ridge | undefined;
  for (let index = 0; index < land.ranges; index++) {
    const t = index / (land.ranges - 1);
    const base = lake ? horizon + 2 - (1 - t) * 10 : horizon + relief * 0.12 + (height - horizon) * t ** 1.3 * 0.84;
    const tall = relief * (lake ? 1 - t * 0.62 : 1 - t * 0.45);
    const ridge = createRidge(land.form, base, tall, random.int(0, 9999), 4 + index);
    const snow = snowy && t < 0.6 ? 0.5 - t * 0.3 : 0;
    planes.push(rangePlane(stage, { ridge, floor, t, terrain, sun, texture, snow, foggy }));
    if (lake ? t === 1 : t > 0.4 && t < 1) stand = ridge;
    if (t < 1 && !lake) {
      const strength = (foggy ? 0.95 : land.form === 'peaks' ? 0.5 : 0.16) * (1 - t * 0.5);
      planes.push(
        mistPlane(stage, mist, {
          y: base - tall * 0.06,
          thick: relief * (0.5 + 0.4 * t),
          strength,
          depth: 0.15 + 0.75 * t,
          flip: index % 2 === 1,
        }),
      );
    }
    if (t > 0.6 && t < 1 && !lake)
      planes.push(
        ...subjectPlanes(stage, sun, {
          ground: { depth: depthOf(t), at: ridge.at },
          site: { depth: depthOf(t), at: ridge.at },
          sky: { depth: 0.2, at: () => horizon * 0.42 },
        }),
      );
  }
  if (lake) {
    const shore = shorePlane(stage);
    const far_bank = { depth: depthOf(1), at: (x: number) => stand?.at(x) ?? horizon };
    planes.push(
      ...subjectPlanes(stage, sun, { site: far_bank, sky: { depth: 0.2, at: () => horizon * 0.4 } }),
      waterPlane(stage, { horizon, sun, deep: mixColors(palette.mid, palette.near, 0.5), chop: 0.25 }),
      ...subjectPlanes(stage, sun, {
        water: { depth: 0.3, at: () => horizon + (height - horizon) * 0.3 },
        ground: { depth: 1, at: shore.at },
      }),
      shore.plane,
    );
  } else if (terrain === 'valley' && stand) planes.push(standPlane(stage));
  return planes;
}

const depthOf = (t: number): number => 0.08 + 0.82 * t ** 1.4;

interface Range {
  ridge: Ridge;
  floor: number;
  t: number;
  terrain: Terrain;
  sun: Sun;
  texture: Bitmap | null;
  snow: number;
  foggy: boolean;
}

function rangePlane(stage: Stage, range: Range): Plane {
  const { palette } = stage;
  const { t, terrain, ridge } = range;
  const random = stage.random.fork(`range ${t}`);
  const color = t < 0.5 ? mixColors(palette.far, palette.mid, t * 2) : mixColors(palette.mid, palette.near, t * 2 - 1);
  const haze = (1 - t) * (range.foggy ? 0.4 : 0.28);
  const hazy = mixColors(color, palette.sky[2], haze);
  const wooded = (terrain === 'valley' && t >= 0.45) || (terrain === 'lake' && t > 0.9);
  const bare = terrain === 'dunes' || terrain === 'mesa';
  return {
    depth: depthOf(t),
    paint(ctx) {
      if (wooded) forestOn(ctx, stage, ridge, terrain === 'lake' ? 20 : 16 + 80 * t * t, hazy, random.fork('trees'));
      paintRidge(ctx, stage, ridge, range.floor, {
        color: bare ? mixColors(hazy, palette.mid, 0.3 * t) : hazy,
        mist: mixColors(palette.sky[2], palette.light, 0.15),
        mist_strength: (range.foggy ? 0.8 : 0.55) * (1 - t) ** 1.1,
        light: palette.light,
        relief: wooded ? 0.14 : (bare ? 0.75 : 0.5) * (1 - t * 0.3),
        texture: range.texture,
        snow: range.snow,
      });
      if (terrain !== 'hills') return;
      if (t > 0.2 && t < 0.95) crowns(ctx, stage, range, hazy, random.fork('crowns'));
      if (t === 1) paintMeadow(ctx, stage, ridge);
    },
  };
}

function crowns(
  ctx: Parameters<Plane['paint']>[0],
  stage: Stage,
  { ridge, t, sun }: Range,
  color: Color,
  random: Stage['random'],
): void {
  const leaf = saturate(lighten(color, -0.05), 1.15);
  for (let count = random.int(2, 5); count > 0; count--) {
    const x = random.range(-stage.bleed, stage.width + stage.bleed);
    const tall = (26 + 90 * t * t) * random.range(0.8, 1.3);
    ctx.fillStyle = css(color);
    broadleaf(
      ctx,
      x,
      ridge.at(x) + 2,
      tall,
      { trunk: lighten(color, -0.1), leaf, light: stage.palette.light },
      random,
      sun.x,
    );
  }
}
