import { hasWord } from '../brief/score.ts';
import { css, lighten, mixColors, toRgb, type Color } from '../color/color.ts';
import { glow, vertical } from '../draw/light.ts';
import { fbm, ridged, smoothstep } from '../draw/noise.ts';
import { createRidge, paintRidge, rockTexture } from '../draw/ridge.ts';
import { shade } from '../draw/shade.ts';
import { starsPlane } from '../draw/sky.ts';
import { field, type Bitmap, type Ctx, type Plane, type Stage } from '../draw/stage.ts';

/** Deep space: a nebula, stars, worlds in the light of one sun, and at times the ground we stand on. */
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
      ctx.globalCompositeOperation = 'screen';
      ctx.imageSmoothingQuality = 'high';
      ctx.drawImage(sheet, area.x, area.y, area.width, area.height);
    },
  };
}

interface World {
  x: number;
  y: number;
  radius: number;
  depth: number;
  light_angle: number;
  ringed: boolean;
  label: string;
}

function planetPlane(stage: Stage, world: World): Plane {
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

function groundPlanes(stage: Stage): Plane[] {
  const { palette, width, height } = stage;
  const area = field(stage);
  const floor = area.y + area.height;
  const texture = rockTexture(stage.brief.seed & 0xffff, true);
  return [0, 0.5, 1].map((t) => {
    const ridge = createRidge(
      t < 1 ? 'mesa' : 'dunes',
      height * (0.78 + 0.16 * t),
      Math.min(width, height) * (0.2 - 0.08 * t),
      stage.random.fork(`ground ${t}`).int(0, 9999),
    );
    return {
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
  });
}
