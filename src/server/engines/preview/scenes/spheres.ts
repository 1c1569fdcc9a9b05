import { hasWord } from '../brief/score.ts';
import { lighten, mixColors, toRgb, type Color } from '../color/color.ts';
import { softEllipse } from '../draw/light.ts';
import { smoothstep } from '../draw/noise.ts';
import { shade } from '../draw/shade.ts';
import { createWindowLight, roomPlane } from '../draw/studio.ts';
import type { Bitmap, Plane, Stage } from '../draw/stage.ts';

interface Ball {
  x: number;
  /** Where the ball touches the ground, from the top. */
  y: number;
  radius: number;
  color: Color;
  finish: 'matte' | 'gloss' | 'metal';
}

export function spheres(stage: Stage): Plane[] {
  const { palette, width, height, brief } = stage;
  const random = stage.random.fork('spheres');
  const short = Math.min(width, height);
  const table = height * random.range(0.5, 0.62);
  const shiny = hasWord(brief.words, 'chrome metal gold silver metallic glossy glass mirror');
  const matte = hasWord(brief.words, 'clay matte soft plaster felt');
  const colors: [Color, ...Color[]] = [
    palette.accent,
    palette.accent_2,
    palette.mid,
    palette.far,
    mixColors(palette.paper, palette.light, 0.5),
    palette.accent,
  ];
  const size = Math.min(height * 1.05, Math.max(short, Math.sqrt(width * height) * 0.9), width * 1.1);
  const spread = Math.min(width * 0.44, size * 0.62);
  const balls: Ball[] = [];
  const wanted = random.int(7, 12);
  for (let attempt = 0; attempt < 240 && balls.length < wanted; attempt++) {
    const radius = size * (balls.length === 0 ? random.range(0.2, 0.25) : 0.035 + 0.125 * random.next() ** 1.3);
    const x = width / 2 + random.range(-1, 1) * spread * (balls.length === 0 ? 0.3 : 1);
    const y = table + radius * 0.25 + (height * 0.93 - table) * (balls.length === 0 ? 0.35 : random.range(0.02, 0.9));
    const apart = balls.every((ball) => Math.hypot(ball.x - x, (ball.y - y) * 2.4) > (ball.radius + radius) * 0.98);
    if (!apart || x - radius < width * 0.03 || x + radius > width * 0.97) continue;
    const finish = shiny
      ? random.pick(['metal', 'gloss'] as const)
      : matte
        ? 'matte'
        : random.pick(['matte', 'gloss', 'gloss', 'metal'] as const);
    balls.push({ x, y, radius, color: random.pick(colors), finish });
  }
  balls.sort((a, b) => a.y - b.y);
  const ground = mixColors(palette.paper, palette.sky[2], 0.2);
  const light = createWindowLight(stage, random.fork('window'));
  const room = roomPlane(stage, { table, wall_color: palette.paper, table_color: ground, light });
  const sheets = balls.map((ball) => ballPlane(stage, ball, balls, ground));
  return stage.cutout ? sheets : [room, ...sheets];
}

function ballPlane(stage: Stage, ball: Ball, balls: readonly Ball[], ground: Color): Plane {
  const { palette } = stage;
  const center = ball.y - ball.radius;
  const face = ballFace(stage, ball, balls, ground);
  const depth = 0.14 + 0.3 * (ball.y / stage.height) ** 2;
  return {
    depth,
    paint(ctx) {
      if (!stage.cutout) {
        softEllipse(
          ctx,
          ball.x + ball.radius * 0.75,
          ball.y - ball.radius * 0.02,
          ball.radius * 1.9,
          ball.radius * 0.5,
          palette.ink,
          0.36,
        );
        softEllipse(
          ctx,
          ball.x + ball.radius * 0.08,
          ball.y - ball.radius * 0.05,
          ball.radius * 0.85,
          ball.radius * 0.24,
          palette.ink,
          0.75,
        );
      }
      ctx.save();
      ctx.beginPath();
      ctx.arc(ball.x, center, ball.radius, 0, 7);
      ctx.clip();
      ctx.imageSmoothingQuality = 'high';
      ctx.drawImage(face, ball.x - ball.radius, center - ball.radius, ball.radius * 2, ball.radius * 2);
      ctx.restore();
    },
  };
}

const LIGHT = { x: -0.55, y: -0.62, z: 0.56 };

/** Traces one bounce of light: lamp, soft box, ground and the other balls with their shadows. */
function ballFace(stage: Stage, ball: Ball, balls: readonly Ball[], ground: Color): Bitmap {
  const { palette } = stage;
  const size = Math.min(190, Math.max(48, Math.round(ball.radius * 2 * stage.scale)));
  const white = toRgb(mixColors(palette.light, lighten(palette.light, 0.1), 0.6));
  const base = toRgb(ball.color);
  const dark = toRgb(mixColors(lighten(ball.color, -0.2), palette.ink, 0.5));
  const floor = toRgb(ground);
  const wall = toRgb(mixColors(palette.paper, palette.light, 0.2));
  const ceiling = toRgb(mixColors(lighten(palette.paper, -0.14), palette.sky[0], 0.3));
  const others = balls
    .filter((other) => other !== ball)
    .map((other) => ({
      x: (other.x - ball.x) / ball.radius,
      y: (other.y - other.radius - ball.y + ball.radius) / ball.radius,
      z: ((other.y - ball.y) / ball.radius) * 2.2,
      r: other.radius / ball.radius,
      rgb: toRgb(other.color),
      dark: toRgb(mixColors(other.color, palette.ink, 0.6)),
    }));
  const mirror = { matte: 0.02, gloss: 0.1, metal: 0.82 }[ball.finish];
  return shade(size, size, (u, v, out) => {
    const nx = u * 2 - 1;
    const ny = v * 2 - 1;
    const nz = Math.sqrt(Math.max(0, 1 - nx * nx - ny * ny));
    const lambert = nx * LIGHT.x + ny * LIGHT.y + nz * LIGHT.z;
    let shadow = 1;
    for (const other of others) {
      const dx = other.x - nx;
      const dy = other.y - ny;
      const dz = other.z - nz;
      const along = dx * LIGHT.x + dy * LIGHT.y + dz * LIGHT.z;
      if (along <= 0) continue;
      const off = Math.sqrt(Math.max(0, dx * dx + dy * dy + dz * dz - along * along));
      shadow *= 1 - 0.8 * smoothstep(other.r * 1.25 + 0.1, other.r * 0.55, off) * smoothstep(0, other.r, along);
    }
    const day = smoothstep(-0.28, 0.95, lambert) * (0.35 + 0.65 * shadow);
    const occluded = 1 - 0.72 * smoothstep(0.35, 1, ny);
    const rx = 2 * nz * nx;
    const ry = 2 * nz * ny;
    const rz = 2 * nz * nz - 1;
    let hit: (typeof others)[number] | undefined;
    let nearest = Infinity;
    for (const other of others) {
      const dx = other.x - nx;
      const dy = other.y - ny;
      const dz = other.z - nz;
      const along = dx * rx + dy * ry + dz * rz;
      const off = dx * dx + dy * dy + dz * dz - along * along;
      if (along > 0 && along < nearest && off < other.r * other.r) {
        nearest = along;
        hit = other;
      }
    }
    const fresnel = mirror + (1 - mirror) * (1 - nz) ** 4 * (ball.finish === 'matte' ? 0.25 : 0.75);
    const box =
      smoothstep(0.36, 0.26, Math.abs(rx + 0.5)) * smoothstep(0.4, 0.3, Math.abs(ry + 0.55)) * (rz > -0.4 ? 1 : 0);
    const to_floor = smoothstep(0.06, 0.22, ry);
    const floor_shade = 1 - 0.6 * smoothstep(0.5, 1, ry);
    const lamp =
      ball.finish === 'matte' ? smoothstep(0.7, 1, lambert) * 0.1 : box * (ball.finish === 'metal' ? 0.9 : 0.85);
    for (let channel: 0 | 1 | 2 = 0; channel < 3; channel++) {
      const own = base[channel] ?? 0;
      let value = (dark[channel] ?? 0) + (own - (dark[channel] ?? 0)) * day;
      value += ((white[channel] ?? 0) - value) * day * day * 0.16;
      value += (((floor[channel] ?? 0) * own) / 255 - value) * Math.max(0, ny) * 0.55;
      value *= occluded;
      let seen = (wall[channel] ?? 0) + ((ceiling[channel] ?? 0) - (wall[channel] ?? 0)) * smoothstep(0, -0.9, ry);
      seen += ((floor[channel] ?? 0) * floor_shade - seen) * to_floor;
      if (hit)
        seen = (hit.dark[channel] ?? 0) + ((hit.rgb[channel] ?? 0) - (hit.dark[channel] ?? 0)) * (0.45 + 0.4 * shadow);
      if (ball.finish === 'metal') seen = (seen * (own + 40)) / 262;
      value += (seen - value) * Math.min(1, fresnel);
      value += ((white[channel] ?? 0) - value) * lamp;
      out[channel] = value;
    }
    out[3] = 1;
  });
}
