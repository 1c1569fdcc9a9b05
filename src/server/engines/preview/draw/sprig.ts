import { css, lighten, mixColors, type Color } from '../color/color.ts';
import type { Random } from '../random.ts';
import { flower, type FlowerForm } from './flowers.ts';
import { leaf, type LeafForm } from './leaves.ts';
import { softEllipse } from './light.ts';
import type { Ctx, Stage } from './stage.ts';

export interface Sprig {
  x: number;
  y: number;
  angle: number;
  length: number;
  tone: Color;
  form: LeafForm;
  blossom: FlowerForm | null;
  t: number;
  random: Random;
}

export function sprig(ctx: Ctx, stage: Stage, { x, y, angle, length, tone, form, blossom, t, random }: Sprig): void {
  const { palette } = stage;
  const bend = random.range(-0.5, 0.5);
  const point = (part: number): { x: number; y: number; angle: number } => {
    const turned = angle + bend * part;
    return {
      x: x + Math.sin(turned) * length * part,
      y: y - Math.cos(turned) * length * part,
      angle: angle + bend * part * 1.8,
    };
  };
  ctx.strokeStyle = css(mixColors(tone, palette.ink, 0.3));
  ctx.lineWidth = Math.max(0.8, length * 0.008);
  ctx.lineCap = 'round';
  ctx.beginPath();
  for (let part = 0; part <= 1.001; part += 0.1) {
    const p = point(part);
    ctx.lineTo(p.x, p.y);
  }
  ctx.stroke();
  const big = form === 'split' || form === 'heart';
  const pairs = big ? 3 : 8;
  const light = mixColors(palette.light, palette.paper, 0.3);
  for (let pair = 0; pair < pairs; pair++) {
    const p = point((big ? 0.45 : 0.18) + ((big ? 0.5 : 0.78) * pair) / pairs);
    for (const side of [-1, 1]) {
      const size =
        length * (big ? 0.5 : form === 'lance' ? 0.26 : 0.19) * (1.1 - (0.5 * pair) / pairs) * random.range(0.75, 1.2);
      leaf(
        ctx,
        form,
        p.x,
        p.y,
        size,
        p.angle + side * random.range(0.55, 1.05),
        lighten(tone, random.range(-0.035, 0.035)),
        light,
        palette.ink,
      );
    }
  }
  const tip = point(1);
  if (!blossom) {
    leaf(ctx, form, tip.x, tip.y, length * (big ? 0.42 : 0.2), tip.angle, tone, light, palette.ink);
    return;
  }
  const color = mixColors(
    random.pick([palette.accent, palette.accent, palette.accent_2, palette.light]),
    palette.paper,
    0.45 * (1 - t),
  );
  softEllipse(ctx, tip.x + length * 0.03, tip.y + length * 0.05, length * 0.17, length * 0.16, palette.ink, 0.25);
  flower(
    ctx,
    blossom,
    tip.x,
    tip.y,
    length * random.range(0.11, 0.18),
    tip.angle + random.range(-0.3, 0.3),
    { color, light, ink: palette.ink },
    random,
  );
}
