import { hasWord } from '../brief/score.ts';
import { css, lighten, mixColors, saturate, type Color } from '../color/color.ts';
import { neonSign } from '../draw/buildings.ts';
import { glow, vertical } from '../draw/light.ts';
import { cloudsPlane, placeSun, skyPlane } from '../draw/sky.ts';
import { type Ctx, type Plane, type Stage } from '../draw/stage.ts';
import { waterPlane } from '../draw/water.ts';
import type { Random } from '../random.ts';
import { across, kerbPlane, trafficPlane, up, type View } from './street-ground.ts';

interface House {
  side: -1 | 1;
  near: number;
  far: number;
  tall: number;
  color: Color;
  window: Color;
  sign: Color | null;
}

/** Houses within one of these distances are painted together, far ones first. */
const LAYERS = [16, 5.5, 2.6, 1.3];
export function street(stage: Stage): Plane[] {
  const { palette, width, height, brief } = stage;
  const random = stage.random.fork('street');
  const view: View = {
    x: width * random.range(0.42, 0.58),
    y: height * random.range(0.6, 0.68),
    reach: Math.min(width, height) * 0.62,
  };
  const sun = { ...placeSun(stage, view.y, random), x: view.x };
  const neon =
    palette.night &&
    hasWord(brief.words, 'neon cyberpunk futuristic tokyo market night_market hong_kong synthwave night');
  const houses = rowsOfHouses(stage, neon, random.fork('houses'));
  return [
    skyPlane(stage, view.y, sun),
    cloudsPlane(stage, view.y, sun, 0.45),
    glowPlane(stage, view),
    ...LAYERS.map((farthest, index) => {
      const nearest = LAYERS[index + 1] ?? 0;
      const rows = houses.filter((house) => house.far <= farthest && house.far > nearest);
      return housesPlane(stage, view, rows, 0.12 + 0.16 * index, random.fork(`layer ${index}`));
    }),
    waterPlane(stage, {
      horizon: view.y,
      sun: { ...sun, radius: sun.radius * 0.4 },
      deep: mixColors(palette.near, palette.ink, 0.5),
      chop: 0.55,
    }),
    kerbPlane(stage, view),
    trafficPlane(stage, view, random.fork('traffic')),
  ];
}

function rowsOfHouses(stage: Stage, neon: boolean, random: Random): House[] {
  const { palette } = stage;
  const lit: readonly [Color, ...Color[]] = neon
    ? [palette.accent, palette.accent_2, palette.light]
    : [mixColors(palette.light, palette.accent, 0.35), palette.light, mixColors(palette.light, palette.accent_2, 0.35)];
  const rows: House[][] = [];
  let far = 16;
  while (far > 0.62) {
    const near = far * random.range(0.66, 0.8);
    const haze = Math.min(0.8, far / 15);
    rows.push(
      ([-1, 1] as const).map((side) => ({
        side,
        near,
        far,
        tall: random.range(1.6, 4.4),
        color: mixColors(
          lighten(mixColors(palette.near, palette.mid, random.range(0.1, 0.5)), random.range(-0.02, 0.03)),
          palette.sky[2],
          haze * 0.75,
        ),
        window: random.pick(lit),
        sign: random.chance(neon ? 0.7 : 0.25) ? random.pick(lit) : null,
      })),
    );
    far = near;
  }
  return rows.flat();
}

function wall(ctx: Ctx, view: View, side: number, from: number, to: number, low: number, high: number): void {
  ctx.beginPath();
  ctx.moveTo(across(view, side, from), up(view, low, from));
  ctx.lineTo(across(view, side, from), up(view, high, from));
  ctx.lineTo(across(view, side, to), up(view, high, to));
  ctx.lineTo(across(view, side, to), up(view, low, to));
  ctx.closePath();
  ctx.fill();
}

function housesPlane(stage: Stage, view: View, row: readonly House[], depth: number, random: Random): Plane {
  const { palette } = stage;
  return {
    depth,
    paint(ctx) {
      for (const house of row) {
        paintFront(ctx, stage, view, house);
        const shade = ctx.createLinearGradient(
          across(view, house.side, house.near),
          0,
          across(view, house.side, house.far),
          0,
        );
        shade.addColorStop(0, css(lighten(house.color, -0.04)));
        shade.addColorStop(1, css(mixColors(house.color, palette.sky[2], 0.16)));
        ctx.fillStyle = shade;
        wall(ctx, view, house.side, house.near, house.far, 0, house.tall);
        paintOpenings(ctx, stage, view, house, random);
        if (house.sign) hangSign(ctx, view, house, house.sign, random);
      }
    },
  };
}

function paintFront(ctx: Ctx, stage: Stage, view: View, { side, near, tall, color }: House): void {
  const x = across(view, side, near);
  const out = side * (stage.width + stage.bleed * 2);
  ctx.fillStyle = vertical(ctx, up(view, tall, near), up(view, 0, near), [
    [0, lighten(color, -0.03)],
    [1, mixColors(color, stage.palette.sky[2], 0.12)],
  ]);
  ctx.fillRect(Math.min(x, x + out), up(view, tall, near), Math.abs(out), up(view, 0, near) - up(view, tall, near));
}

function paintOpenings(
  ctx: Ctx,
  { palette }: Stage,
  view: View,
  { side, near, far, tall, window }: House,
  random: Random,
): void {
  const columns = Math.max(2, Math.round((far - near) * (near < 2 ? 5 : 2.4)));
  const floors = Math.round(tall / 0.3);
  const share = palette.night ? 0.5 : 0.22;
  for (let floor = 0; floor < floors; floor++) {
    for (let column = 0; column < columns; column++) {
      const shop = floor === 0;
      const from = near + ((far - near) * (column + (shop ? 0.06 : 0.22))) / columns;
      const to = near + ((far - near) * (column + (shop ? 0.94 : 0.78))) / columns;
      const low = floor * 0.3 + (shop ? 0.02 : 0.08);
      const lit = random.chance(shop ? 0.85 : share);
      ctx.fillStyle = lit
        ? css(mixColors(window, palette.light, random.range(0, 0.5)), shop ? 0.85 : random.range(0.45, 0.9))
        : css(palette.ink, 0.3);
      wall(ctx, view, side, from, to, low, low + (shop ? 0.22 : 0.15));
    }
  }
  ctx.fillStyle = css(mixColors(window, palette.ink, 0.55));
  wall(ctx, view, side, near, far, 0.26, 0.3);
}

function hangSign(ctx: Ctx, view: View, house: House, color: Color, random: Random): void {
  const distance = house.near + (house.far - house.near) * random.range(0.1, 0.5);
  const tall = (random.range(0.4, 0.85) * view.reach) / distance;
  const x = across(view, house.side * random.range(0.78, 0.9), distance);
  neonSign(
    ctx,
    x,
    up(view, random.range(0.95, Math.min(1.9, house.tall)), distance),
    Math.min(tall, 190),
    saturate(color, 1.05),
    random,
  );
}

function glowPlane(stage: Stage, view: View): Plane {
  const { palette } = stage;
  return {
    depth: 0.05,
    paint(ctx) {
      glow(
        ctx,
        view.x,
        view.y,
        view.reach * 0.8,
        mixColors(palette.sky[2], palette.light, 0.4),
        palette.night ? 0.75 : 0.55,
      );
    },
  };
}
