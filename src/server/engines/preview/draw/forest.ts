import { css, lighten, mixColors, type Color } from '../color/color.ts';
import type { Random } from '../random.ts';
import type { Ridge } from './ridge.ts';
import type { Ctx, Plane, Stage } from './stage.ts';
import { pine } from './trees.ts';

export function forestOn(ctx: Ctx, stage: Stage, ridge: Ridge, size: number, color: Color, random: Random): void {
  ctx.fillStyle = css(lighten(color, -0.02));
  ctx.beginPath();
  let x = -stage.bleed;
  while (x < stage.width + stage.bleed) {
    const grove = 0.55 + 0.45 * Math.sin(x / (90 + size) + size);
    pine(ctx, x, ridge.at(x) + size * 0.1, size * random.range(0.55, 1.25) * (0.6 + grove * 0.55), random);
    x += size * random.range(0.16, 0.42);
  }
  ctx.fill();
}

export function standPlane(stage: Stage): Plane {
  const { palette, width, height } = stage;
  const random = stage.random.fork('stand');
  const sides = random.pick<readonly number[]>([[-1], [1], [-1, 1]]);
  const color = mixColors(palette.near, palette.ink, 0.45);
  return {
    depth: 1,
    paint(ctx) {
      ctx.fillStyle = css(color);
      ctx.beginPath();
      for (const side of sides) {
        for (let index = 0; index < 6; index++) {
          const inward = (index / 6) ** 1.2 * width * 0.3;
          const x = side < 0 ? inward - stage.bleed * 0.7 : width + stage.bleed * 0.7 - inward;
          const tall = Math.min(height * 0.75, width * 0.75) * (1 - index / 8) * random.range(0.7, 1.05);
          pine(ctx, x + random.range(-12, 12), height + stage.bleed * 0.8, tall + stage.bleed * 0.8, random);
        }
      }
      ctx.fill();
    },
  };
}

export function shorePlane(stage: Stage): { plane: Plane; at(x: number): number } {
  const { palette, width, height } = stage;
  const random = stage.random.fork('shore');
  const left = random.chance(0.5);
  const along = (x: number): number => (left ? x / width : 1 - x / width);
  const at = (x: number): number => height * (0.9 + 0.16 * along(x)) + Math.sin(x / 34) * 3 + Math.sin(x / 11) * 1.4;
  const plane: Plane = {
    depth: 1,
    paint(ctx) {
      ctx.fillStyle = css(palette.near);
      ctx.beginPath();
      for (let x = -stage.bleed; x < width + stage.bleed; x += random.range(3, 26)) {
        if (along(x) < 0.42 && random.chance(0.35))
          pine(ctx, x, at(x) + 6, random.range(70, 210) * (1 - along(x)), random);
      }
      ctx.fill();
      ctx.beginPath();
      ctx.moveTo(-stage.bleed, height + stage.bleed);
      for (let x = -stage.bleed; x <= width + stage.bleed; x += 3) ctx.lineTo(x, at(x));
      ctx.lineTo(width + stage.bleed, height + stage.bleed);
      ctx.fill();
      ctx.strokeStyle = css(palette.near);
      ctx.lineWidth = 1;
      for (let reed = 0; reed < 160 * stage.detail; reed++) {
        const x = random.range(-stage.bleed, width + stage.bleed);
        const tall = random.range(6, 26);
        const bend = random.range(-7, 7);
        ctx.beginPath();
        ctx.moveTo(x, at(x) + 3);
        ctx.quadraticCurveTo(x + bend * 0.2, at(x) - tall * 0.6, x + bend, at(x) - tall);
        ctx.stroke();
      }
    },
  };
  return { plane, at };
}
