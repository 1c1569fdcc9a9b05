import {
  alpha,
  blend,
  type Context,
  fillAll,
  type Layer,
  type LayeredPicture,
  linear,
  radial,
  type Stage,
} from './canvas.ts';
import type { Random } from './random.ts';
import type { Palette, Theme } from './theme.ts';

/** Half widths of objects from their foot to their top, as shares of their height. */
const PROFILES = {
  vase: [0.16, 0.27, 0.33, 0.31, 0.22, 0.12, 0.1, 0.15],
  bottle: [0.17, 0.18, 0.18, 0.18, 0.17, 0.07, 0.06, 0.065],
  bowl: [0.24, 0.42, 0.58, 0.68, 0.73],
  jar: [0.26, 0.33, 0.35, 0.35, 0.33, 0.24, 0.25],
  cone: [0.4, 0.32, 0.24, 0.16, 0.08, 0.005],
} as const satisfies Record<string, readonly number[]>;
type Shape = keyof typeof PROFILES | 'sphere';
const SHAPES: readonly [Shape, ...Shape[]] = ['vase', 'sphere', 'bottle', 'bowl', 'sphere', 'jar', 'cone'];

interface Thing {
  shape: Shape;
  color: string;
  /** Center and foot as shares of the picture. */
  x: number;
  foot: number;
  /** Height in units. */
  size: number;
}

export function stillLife({ palette }: Theme, random: Random): LayeredPicture {
  const table = random.range(0.6, 0.68);
  const colors: readonly [string, ...string[]] = [
    palette.accent,
    palette.mid,
    palette.light,
    palette.dark,
    palette.glow,
  ];
  const count = random.int(3, 5);
  const things = Array.from({ length: count }, (_, index): Thing => {
    const shape = random.pick(SHAPES);
    const tall = shape === 'bowl' ? 150 : shape === 'sphere' ? random.range(120, 240) : random.range(300, 500);
    return {
      shape,
      color: colors[index % colors.length] ?? palette.accent,
      x: 0.5 + (index - (count - 1) / 2) * (0.56 / count) + random.range(-0.03, 0.03),
      foot: table + random.range(0.04, 0.17),
      size: tall,
    };
  }).toSorted((a, b) => a.foot - b.foot);

  const ground: Layer = (context, stage) => {
    const { width, height } = stage;
    fillAll(
      context,
      stage,
      linear(context, [0, 0, width * 0.7, height * table], {
        0: blend(palette.light, palette.glow, 0.55),
        1: blend(palette.mid, palette.light, 0.45),
      }),
    );
    fillAll(
      context,
      stage,
      radial(context, width * 0.28, height * 0.16, Math.max(width, height) * 0.75, {
        0: alpha(palette.glow, 0.85),
        1: alpha(palette.glow, 0),
      }),
    );
    context.fillStyle = linear(context, [0, height * table, 0, height], {
      0: blend(palette.mid, palette.light, 0.72),
      1: blend(palette.mid, palette.dark, 0.25),
    });
    context.fillRect(0, height * table, width, height);
  };
  const [back, front] = [things.slice(0, count - 2), things.slice(count - 2)];
  const draw =
    (some: readonly Thing[]): Layer =>
    (context, stage) => {
      for (const thing of some) drawThing(context, stage, thing, palette);
    };
  return { ground, layers: [draw(back), draw(front)] };
}

function drawThing(context: Context, { width, height, unit }: Stage, thing: Thing, palette: Palette): void {
  const x = thing.x * width;
  const foot = thing.foot * height;
  const size = Math.min(thing.size * unit, foot * 0.86);
  const profile = thing.shape === 'sphere' ? [0.5] : PROFILES[thing.shape];
  const widest = Math.max(...profile) * size;
  drawShadow(context, x, foot, widest, palette.deep);
  if (thing.shape === 'sphere') {
    const radius = size / 2;
    context.beginPath();
    context.arc(x, foot - radius, radius, 0, Math.PI * 2);
    const lit = { x: x - radius * 0.35, y: foot - radius * 1.4 };
    context.fillStyle = radial(context, lit.x, lit.y, radius * 1.75, {
      0: blend(thing.color, '#ffffff', 0.45),
      0.4: thing.color,
      1: blend(thing.color, palette.deep, 0.72),
    });
    context.fill();
    return;
  }
  traceProfile(context, profile, x, foot, size);
  context.fillStyle = linear(context, [x - widest, 0, x + widest, 0], {
    0: blend(thing.color, palette.deep, 0.25),
    0.3: blend(thing.color, '#ffffff', 0.45),
    0.55: thing.color,
    1: blend(thing.color, palette.deep, 0.72),
  });
  context.fill();
  const rim = (profile.at(-1) ?? 0.1) * size;
  if (thing.shape === 'cone') return;
  context.beginPath();
  context.ellipse(x, foot - size, rim, rim * 0.24, 0, 0, Math.PI * 2);
  context.fillStyle = blend(thing.color, palette.deep, 0.6);
  context.fill();
}

function traceProfile(context: Context, profile: readonly number[], x: number, foot: number, size: number): void {
  const last = profile.length - 1;
  const side = (sign: 1 | -1): [number, number][] =>
    profile.map((half, index) => [x + sign * half * size, foot - (index / last) * size]);
  const smooth = (points: readonly [number, number][]): void => {
    for (const [index, [px, py]] of points.entries()) {
      const [nx, ny] = points[index + 1] ?? [px, py];
      context.quadraticCurveTo(px, py, (px + nx) / 2, (py + ny) / 2);
    }
    context.lineTo(...(points.at(-1) ?? [x, foot]));
  };
  const right = side(1);
  context.beginPath();
  context.moveTo(x, foot + size * 0.015);
  smooth(right);
  smooth(side(-1).toReversed());
  context.closePath();
}

function drawShadow(context: Context, x: number, foot: number, widest: number, color: string): void {
  context.save();
  context.translate(x + widest * 0.45, foot);
  context.scale(1, 0.2);
  context.fillStyle = radial(context, 0, 0, widest * 1.7, {
    0: alpha(color, 0.62),
    0.5: alpha(color, 0.22),
    1: alpha(color, 0),
  });
  context.beginPath();
  context.arc(0, 0, widest * 1.7, 0, Math.PI * 2);
  context.fill();
  context.restore();
}
