import { hasWord } from '../brief/score.ts';
import { lighten, mixColors, toRgb } from '../color/color.ts';
import { vertical } from '../draw/light.ts';
import { planetPlane } from '../draw/planet.ts';
import { fbm, ridged, smoothstep } from '../draw/noise.ts';
import { groundTexture } from '../draw/texture.ts';
import { createRidge, paintRidge } from '../draw/ridge.ts';
import { shade } from '../draw/shade.ts';
import { starsPlane } from '../draw/sky.ts';
import { subjectPlanes } from '../draw/subjects.ts';
import { field, type Ctx, type Plane, type Stage } from '../draw/stage.ts';

export function cosmos(stage: Stage): Plane[] {
  const { width, height, brief } = stage;
  const random = stage.random.fork('cosmos');
  const short = Math.min(width, height);
  const grounded = hasWord(brief.words, 'astronaut mars alien landscape horizon surface person') || random.chance(0.4);
  const light_angle = random.range(0, Math.PI * 2);
  const planes: Plane[] = stage.cutout
    ? []
    : [backdrop(stage), nebulaPlane(stage), starsPlane(stage, height * 1.9, 1.5)];
  const main = {
    x: width * random.range(0.34, 0.66),
    y: height * (grounded ? random.range(0.26, 0.42) : random.range(0.4, 0.58)),
    radius: short * random.range(0.17, grounded ? 0.26 : 0.31),
  };
  const ringed = hasWord(brief.words, 'saturn ring') || random.chance(0.5);
  planes.push(planetPlane(stage, { ...main, depth: 0.22, light_angle, ringed, label: 'main' }));
  for (let moon = random.int(0, 2); moon > 0; moon--) {
    const angle = random.range(0, Math.PI * 2);
    const reach = main.radius * random.range(1.5, 2.3);
    planes.push(
      planetPlane(stage, {
        x: main.x + Math.cos(angle) * reach,
        y: main.y + Math.sin(angle) * reach * 0.6,
        radius: main.radius * random.range(0.07, 0.2),
        depth: 0.34,
        light_angle,
        ringed: false,
        label: `moon ${moon}`,
      }),
    );
  }
  if (grounded && !stage.cutout) planes.push(...groundPlanes(stage));
  else if (!stage.cutout) planes.push(...subjectPlanes(stage, main, { sky: { depth: 0.5, at: () => height * 0.62 } }));
  return planes;
}

function backdrop(stage: Stage): Plane {
  const area = field(stage);
  const [zenith, middle] = stage.palette.sky;
  return {
    depth: 0,
    paint(ctx) {
      ctx.fillStyle = vertical(ctx, 0, stage.height, [
        [0, lighten(zenith, -0.01)],
        [0.55, mixColors(zenith, middle, 0.45)],
        [1, mixColors(zenith, middle, 0.85)],
      ]);
      ctx.fillRect(area.x, area.y, area.width, area.height);
    },
  };
}

function nebulaPlane(stage: Stage): Plane {
  const { palette, random } = stage;
  const area = field(stage);
  const seed = random.fork('nebula').int(0, 9999);
  const tilt = random.fork('tilt').range(-0.9, 0.9);
  const glowing = toRgb(mixColors(palette.sky[2], palette.accent, 0.25));
  const hot = toRgb(lighten(mixColors(palette.accent, palette.light, 0.35), 0.02));
  const cool = toRgb(palette.accent_2);
  const columns = Math.round(360 + 120 * stage.detail);
  return {
    depth: 0.04,
    blend: 'screen',
    paint(ctx) {
      const sheet = shade(columns, (columns * area.height) / area.width, (u, v, out) => {
        const x = (u * area.width) / 1000;
        const y = (v * area.height) / 1000;
        const warp_x = fbm(x * 2.2, y * 2.2, seed, 3);
        const warp_y = fbm(x * 2.2 + 9, y * 2.2, seed + 1, 3);
        const gas = fbm(x * 2.4 + warp_x * 1.5, y * 2.4 + warp_y * 1.5, seed + 2, 5);
        const filament = ridged(x * 2 + warp_y, y * 2 + warp_x, seed + 3, 4);
        const across = (y - area.height / 2000) * Math.cos(tilt) - (x - area.width / 2000) * Math.sin(tilt);
        const band = Math.exp(-((across * 2.3) ** 2));
        const dust = smoothstep(0.55, 0.75, fbm(x * 3 + warp_x * 2, y * 3, seed + 4, 4)) * band;
        const dense = smoothstep(0.34, 0.82, gas * 0.75 + filament * 0.2 + band * 0.2) * (0.35 + band * 0.75);
        const heat = smoothstep(0.5, 0.85, gas + band * 0.12) * band;
        const tone = smoothstep(0.35, 0.65, warp_x);
        for (let channel: 0 | 1 | 2 = 0; channel < 3; channel++) {
          const base = (glowing[channel] ?? 0) * (1 - tone) + (cool[channel] ?? 0) * tone;
          out[channel] = (base + ((hot[channel] ?? 0) - base) * heat) * (1 - dust * 0.75);
        }
        out[3] = Math.min(0.95, dense * 0.95);
      });
      ctx.imageSmoothingQuality = 'high';
      ctx.drawImage(sheet, area.x, area.y, area.width, area.height);
    },
  };
}

function groundPlanes(stage: Stage): Plane[] {
  const { palette, width, height } = stage;
  const area = field(stage);
  const floor = area.y + area.height;
  const texture = groundTexture('rock', stage.brief.seed & 0xffff, true);
  return [0, 0.5, 1].flatMap((t) => {
    const ridge = createRidge(
      t < 1 ? 'mesa' : 'dunes',
      height * (0.78 + 0.16 * t),
      Math.min(width, height) * (0.2 - 0.08 * t),
      stage.random.fork(`ground ${t}`).int(0, 9999),
    );
    const ground: Plane = {
      depth: 0.45 + 0.5 * t,
      paint: (ctx: Ctx) =>
        paintRidge(ctx, stage, ridge, floor, {
          color: mixColors(mixColors(palette.far, palette.sky[2], 0.2), palette.near, 0.25 + 0.7 * t),
          mist: mixColors(palette.sky[2], palette.accent, 0.2),
          mist_strength: 0.65 * (1 - t * 0.9),
          light: palette.light,
          relief: 0.5,
          texture,
          snow: 0,
        }),
    };
    const sun = { x: width / 3, y: 0, radius: 1 };
    const depth = ground.depth;
    const places = {
      ground: { depth, at: ridge.at },
      site: { depth, at: ridge.at },
      sky: { depth: 0.3, at: () => height * 0.45 },
    };
    return t === 0.5 ? [ground, ...subjectPlanes(stage, sun, places)] : [ground];
  });
}
