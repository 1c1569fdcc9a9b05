import { hasWord } from '../brief/score.ts';
import { css, lighten, mixColors } from '../color/color.ts';
import { groundTexture } from '../draw/texture.ts';
import { createRidge, paintRidge } from '../draw/ridge.ts';
import { cloudsPlane, discPlane, placeSun, skyPlane, starsPlane } from '../draw/sky.ts';
import { field, type Plane, type Stage } from '../draw/stage.ts';
import { vertical } from '../draw/light.ts';
import { subjectPlanes, type Places } from '../draw/subjects.ts';
import { waterPlane } from '../draw/water.ts';
import { oceanPlane } from '../draw/ocean.ts';

export function sea(stage: Stage): Plane[] {
  const { palette, brief, width, height } = stage;
  const random = stage.random.fork('sea');
  const horizon = height * random.range(0.46, 0.58);
  const sun = placeSun(stage, horizon, random);
  const words = brief.words;
  const beach = hasWord(words, 'beach sand shore coast tropical island vacation summer') || random.chance(0.25);
  const swell = !beach && (hasWord(words, 'wave surf storm stormy surfer ocean') || random.chance(0.5));
  const planes: Plane[] = [skyPlane(stage, horizon, sun)];
  if (palette.night) planes.push(starsPlane(stage, horizon));
  planes.push(discPlane(stage, sun), cloudsPlane(stage, horizon, sun, random.range(0.35, 0.8)));
  if (random.chance(0.6)) {
    const far = createRidge('peaks', horizon + 1, Math.min(width, height) * 0.13, random.int(0, 9999), 5);
    const slope = random.chance(0.5) ? 1 : -1;
    const coast = { ...far, at: (x: number) => far.at(x) + Math.max(0, (slope * (x / width - 0.5) + 0.15) * 190) };
    const texture = groundTexture('rock', brief.seed & 0xffff, sun.x < width / 2);
    planes.push({
      depth: 0.1,
      paint: (ctx) =>
        paintRidge(ctx, stage, coast, horizon + 1, {
          color: mixColors(palette.far, palette.sky[2], 0.3),
          mist: mixColors(palette.sky[2], palette.light, 0.2),
          mist_strength: 0.6,
          light: palette.light,
          relief: 0.3,
          texture,
          snow: 0,
        }),
    });
  }
  const windy = hasWord(words, 'storm stormy wave surf surfer rough dramatic') ? 0.9 : 0.25;
  if (swell) planes.push(oceanPlane(stage, { horizon, sun, wind: windy }));
  else planes.push(waterPlane(stage, { horizon, sun, deep: mixColors(palette.mid, palette.near, 0.3), chop: 0.9 }));
  const shallow = horizon + (height - horizon) * (beach ? 0.16 : 0.28);
  const cape = capeOf(stage, horizon);
  const places: Places = { water: { depth: 0.24, at: () => shallow }, sky: { depth: 0.18, at: () => horizon * 0.45 } };
  if (brief.subjects.includes('lighthouse')) {
    planes.push(cape.plane);
    places.site = { depth: 0.3, at: cape.at };
  }
  planes.push(...subjectPlanes(stage, sun, places));
  if (beach) {
    const sands = beachPlane(stage, horizon);
    const on_sand = { depth: 0.55, at: (x: number) => sands.edge(x) + height * 0.13 };
    planes.push(
      sands.plane,
      ...subjectPlanes(stage, sun, { ground: on_sand, ...(places.site ? {} : { site: on_sand }) }),
    );
  }
  return planes;
}

function capeOf(stage: Stage, horizon: number): { plane: Plane; at(x: number): number } {
  const { palette, width, height } = stage;
  const waterline = horizon + (height - horizon) * 0.14;
  const rock = createRidge('peaks', waterline + 4, Math.min(width, height) * 0.06, stage.brief.seed & 0xfff, 6);
  const at = (x: number): number => {
    const near = Math.exp(-(((x - width * 0.36) / (width * 0.2)) ** 2));
    return Math.min(waterline, rock.at(x) - near * height * 0.09 + (1 - near) * height * 0.08);
  };
  const texture = groundTexture('rock', stage.brief.seed, true);
  const plane: Plane = {
    depth: 0.3,
    paint: (ctx) =>
      paintRidge(ctx, stage, { at, bottom: waterline }, waterline, {
        color: mixColors(palette.near, palette.mid, 0.25),
        mist: mixColors(palette.sky[2], palette.mid, 0.3),
        mist_strength: 0.35,
        light: palette.light,
        relief: 0.6,
        texture,
        snow: 0,
      }),
  };
  return { plane, at };
}

function beachPlane(stage: Stage, horizon: number): { plane: Plane; edge(x: number): number } {
  const { palette, width, height } = stage;
  const random = stage.random.fork('beach');
  const area = field(stage);
  const side = random.chance(0.5) ? 1 : -1;
  const top = horizon + (height - horizon) * 0.52;
  const edge = (x: number): number =>
    top + side * (x / width - 0.5) * height * 0.2 + Math.sin(x / 120 + 1) * 14 + Math.sin(x / 47) * 5;
  const sand = mixColors(palette.paper, palette.light, 0.25);
  const wet = mixColors(sand, palette.mid, 0.42);
  const trace = (ctx: Parameters<Plane['paint']>[0], offset: number): void => {
    ctx.beginPath();
    ctx.moveTo(area.x, area.y + area.height);
    for (let x = area.x; x <= area.x + area.width + 4; x += 4)
      ctx.lineTo(x, edge(x) + offset + Math.sin(x / 23 + offset) * 2.5);
    ctx.lineTo(area.x + area.width, area.y + area.height);
    ctx.closePath();
  };
  const pebbles = Array.from({ length: Math.round(260 * stage.detail) }, () => ({
    x: random.range(area.x, area.x + area.width),
    drop: random.next(),
    size: random.range(0.4, 1.9),
    dark: random.chance(0.6),
  }));
  const plane: Plane = {
    depth: 0.55,
    live: true,
    paint(ctx, time_s) {
      const swash = Math.sin(time_s * 0.9) * 13;
      for (const [offset, alpha] of [
        [-34, 0.16],
        [-20, 0.26],
        [-9, 0.4],
      ] as const) {
        trace(ctx, swash * (1 + offset / 60) + offset);
        ctx.fillStyle = css(lighten(palette.light, 0.02), alpha);
        ctx.fill();
      }
      trace(ctx, swash);
      ctx.fillStyle = css(lighten(palette.light, 0.02), 0.95);
      ctx.fill();
      trace(ctx, swash + 4);
      ctx.fillStyle = css(wet);
      ctx.fill();
      trace(ctx, 34);
      ctx.fillStyle = vertical(ctx, top, area.y + area.height, [
        [0, mixColors(sand, wet, 0.55)],
        [0.2, sand],
        [1, mixColors(sand, palette.far, 0.35)],
      ]);
      ctx.fill();
      for (const pebble of pebbles) {
        const y = edge(pebble.x) + 44 + pebble.drop * (height - edge(pebble.x));
        ctx.fillStyle = css(pebble.dark ? mixColors(wet, palette.near, 0.4) : palette.light, 0.35);
        ctx.beginPath();
        ctx.ellipse(pebble.x, y, pebble.size * 1.6, pebble.size, 0, 0, 7);
        ctx.fill();
      }
    },
  };
  return { plane, edge };
}
