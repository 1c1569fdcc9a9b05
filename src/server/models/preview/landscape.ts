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

export function landscape({ palette }: Theme, random: Random): LayeredPicture {
  const horizon = random.range(0.52, 0.66);
  const sun = { x: random.range(0.2, 0.8), y: horizon - random.range(0.08, 0.3), size: random.range(42, 78) };
  const isNight = palette.deep < '#10';
  const hasWater = random.chance(0.55);
  const far = [0, 1, 2].map((index) => createRidge(random, 0.2 - 0.04 * index, 1.4 + index));
  const near = createRidge(random, 0.1, 2.6);
  const pines = Array.from({ length: 26 }, () => ({ x: random.next(), size: random.range(0.35, 1) }));

  const ground: Layer = (context, stage) => {
    const { width, height, unit } = stage;
    fillAll(
      context,
      stage,
      linear(context, [0, 0, 0, height * horizon * 1.08], {
        0: isNight ? palette.deep : blend(palette.dark, palette.mid, 0.35),
        0.6: isNight ? palette.mid : palette.light,
        1: palette.glow,
      }),
    );
    if (isNight) drawStars(context, stage, random.fork('stars'));
    const [x, y] = [sun.x * width, sun.y * height];
    const glowPx = Math.max(width, height) * 0.6;
    fillAll(
      context,
      stage,
      radial(context, x, y, glowPx, {
        0: alpha(palette.glow, 0.9),
        0.12: alpha(palette.glow, 0.42),
        0.5: alpha(palette.accent, 0.1),
        1: alpha(palette.accent, 0),
      }),
    );
    context.fillStyle = blend(palette.glow, '#ffffff', 0.5);
    context.beginPath();
    context.arc(x, y, sun.size * unit, 0, Math.PI * 2);
    context.fill();
  };
  const distance: Layer = (context, stage) => {
    for (const [index, ridge] of far.entries()) {
      const share = (index + 1) / (far.length + 1);
      const top = stage.height * (horizon - 0.06 + 0.05 * index);
      const color = blend(palette.light, palette.dark, 0.2 + 0.65 * share);
      fillRidge(context, stage, ridge, top, blend(color, palette.glow, 0.35), color);
    }
    if (hasWater) drawWater(context, stage, palette, horizon + 0.08, sun.x, random.fork('water'));
  };
  const foreground: Layer = (context, stage) => {
    const top = stage.height * (hasWater ? 0.9 : 0.82);
    for (const { x, size } of pines)
      drawPine(context, x * stage.width, top - near(x) * stage.height, size * 120 * stage.unit, palette.deep);
    fillRidge(context, stage, near, top, blend(palette.deep, palette.dark, 0.3), palette.deep);
  };
  return { ground, layers: [distance, foreground] };
}

/** Height above a base line along the width, as a share of the picture's height. */
function createRidge(random: Random, heightShare: number, waves: number): (x: number) => number {
  const octaves = [1, 2.1, 4.3, 9.2, 19].map((factor, index) => ({
    frequency: waves * factor * Math.PI,
    phase: random.range(0, Math.PI * 2),
    size: 0.55 ** index,
  }));
  return (x) =>
    octaves.reduce((sum, { frequency, phase, size }, index) => {
      const wave = Math.sin(x * frequency + phase);
      return sum + size * (index === 0 ? wave : 1 - Math.abs(wave));
    }, 0) *
    heightShare *
    0.5;
}

function fillRidge(
  context: Context,
  { width, height }: Stage,
  ridge: (x: number) => number,
  top: number,
  upper: string,
  lower: string,
): void {
  context.beginPath();
  context.moveTo(0, height);
  const steps = 320;
  for (let step = 0; step <= steps; step++) {
    const x = step / steps;
    context.lineTo(x * width, top - ridge(x) * height);
  }
  context.lineTo(width, height);
  context.closePath();
  context.fillStyle = linear(context, [0, top - height * 0.22, 0, top + height * 0.16], { 0: lower, 1: upper });
  context.fill();
}

function drawWater(
  context: Context,
  { width, height, unit }: Stage,
  palette: Palette,
  from: number,
  sunX: number,
  random: Random,
): void {
  const top = from * height;
  context.fillStyle = linear(context, [0, top, 0, height], {
    0: blend(palette.light, palette.glow, 0.5),
    0.35: palette.mid,
    1: palette.dark,
  });
  context.fillRect(0, top, width, height - top);
  for (let streak = 0; streak < 260; streak++) {
    const depth = random.next() ** 1.6;
    const y = top + depth * (height - top);
    const isGlitter = random.chance(0.45);
    const spread = isGlitter ? (0.03 + depth * 0.14) * (random.next() + random.next() - 1) : random.next() - sunX;
    const length = (14 + 130 * depth) * unit * random.range(0.4, 1);
    context.fillStyle = isGlitter
      ? alpha(palette.glow, 0.55)
      : alpha(random.chance(0.5) ? palette.light : palette.dark, 0.16);
    context.fillRect((sunX + spread) * width - length / 2, y, length, (0.8 + 2.4 * depth) * unit);
  }
}

function drawStars(context: Context, { width, height, unit }: Stage, random: Random): void {
  for (let star = 0; star < 240; star++) {
    context.fillStyle = alpha('#ffffff', random.range(0.15, 0.9));
    context.beginPath();
    context.arc(
      random.next() * width,
      random.next() ** 1.4 * height * 0.6,
      random.range(0.5, 1.7) * unit,
      0,
      Math.PI * 2,
    );
    context.fill();
  }
}

function drawPine(context: Context, x: number, y: number, size: number, color: string): void {
  context.fillStyle = color;
  for (let tier = 0; tier < 4; tier++) {
    const top = y - size * (1 - tier * 0.2);
    const half = size * (0.09 + tier * 0.055);
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x + half, top + size * 0.36);
    context.lineTo(x - half, top + size * 0.36);
    context.closePath();
    context.fill();
  }
}
