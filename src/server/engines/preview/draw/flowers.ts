import { css, hex, lighten, mixColors, type Color } from '../color/color.ts';
import type { Random } from '../random.ts';
import type { Ctx } from './stage.ts';

export type FlowerForm = 'daisy' | 'poppy' | 'rose' | 'tulip' | 'star';

export interface FlowerLook {
  color: Color;
  light: Color;
  ink: Color;
}

function petal(ctx: Ctx, angle: number, length: number, width: number, from: Color, to: Color, edge: Color): void {
  ctx.save();
  ctx.rotate(angle);
  const gradient = ctx.createLinearGradient(0, 0, 0, -length);
  gradient.addColorStop(0, css(from));
  gradient.addColorStop(0.45, css(mixColors(from, to, 0.7)));
  gradient.addColorStop(1, css(to));
  ctx.fillStyle = gradient;
  ctx.beginPath();
  ctx.moveTo(0, 0);
  ctx.bezierCurveTo(width * 0.7, -length * 0.2, width * 0.75, -length * 0.95, width * 0.08, -length);
  ctx.quadraticCurveTo(0, -length * 0.95, -width * 0.08, -length);
  ctx.bezierCurveTo(-width * 0.75, -length * 0.95, -width * 0.7, -length * 0.2, 0, 0);
  ctx.fill();
  if (length > FINE_LENGTH) paintStrands(ctx, length, width, edge);
  ctx.restore();
}

/** Smaller petals show no strands. */
const FINE_LENGTH = 15;

function paintStrands(ctx: Ctx, length: number, width: number, color: Color): void {
  ctx.strokeStyle = css(color, 0.28);
  ctx.lineWidth = Math.max(0.35, length * 0.008);
  ctx.stroke();
  ctx.beginPath();
  for (const bend of [-0.3, -0.12, 0.08, 0.26]) {
    ctx.moveTo(0, -length * 0.08);
    ctx.quadraticCurveTo(width * bend * 0.8, -length * 0.5, width * bend * 1.05, -length * 0.86);
  }
  ctx.stroke();
}

const heart = (ctx: Ctx, radius: number, color: Color, ink: Color, random: Random): void => {
  const gradient = ctx.createRadialGradient(-radius * 0.3, -radius * 0.3, 0, 0, 0, radius);
  gradient.addColorStop(0, css(lighten(color, 0.08)));
  gradient.addColorStop(1, css(mixColors(color, ink, 0.45)));
  ctx.fillStyle = gradient;
  ctx.beginPath();
  ctx.arc(0, 0, radius, 0, 7);
  ctx.fill();
  const seeds = radius > 6 ? 60 : 16;
  for (let seed = 0; seed < seeds; seed++) {
    const turn = seed * 2.39996;
    const reach = radius * Math.sqrt(seed / seeds);
    ctx.fillStyle = css(random.chance(0.5) ? lighten(color, 0.1) : mixColors(color, ink, 0.6), 0.8);
    ctx.beginPath();
    ctx.arc(Math.cos(turn) * reach, Math.sin(turn) * reach, radius * 0.07, 0, 7);
    ctx.fill();
  }
};

const forms = {
  daisy: (ctx, size, look, random) => {
    for (const ring of [1, 0.86]) {
      const petals = 15;
      for (let index = 0; index < petals; index++) {
        const tone = lighten(look.color, random.range(-0.03, 0.04));
        petal(
          ctx,
          (index / petals) * Math.PI * 2 + ring,
          size * ring * random.range(0.9, 1.06),
          size * 0.34,
          mixColors(tone, look.ink, 0.22),
          mixColors(tone, look.light, 0.25),
          look.ink,
        );
      }
    }
    heart(ctx, size * 0.27, hex('#d99a2b'), look.ink, random);
  },
  poppy: (ctx, size, look, random) => {
    for (let index = 0; index < 7; index++) {
      const tone = lighten(look.color, random.range(-0.05, 0.04));
      petal(
        ctx,
        (index / 7) * Math.PI * 2 * 1.7,
        size * random.range(0.88, 1.05),
        size * 1.25,
        mixColors(tone, look.ink, 0.35),
        mixColors(tone, look.light, 0.22),
        look.ink,
      );
    }
    for (let stamen = 0; stamen < 34; stamen++) {
      const turn = random.range(0, 7);
      const reach = size * random.range(0.2, 0.36);
      ctx.fillStyle = css(look.ink, 0.85);
      ctx.beginPath();
      ctx.arc(Math.cos(turn) * reach, Math.sin(turn) * reach, size * 0.018, 0, 7);
      ctx.fill();
    }
    heart(ctx, size * 0.16, mixColors(look.ink, look.color, 0.25), look.ink, random);
  },
  rose: (ctx, size, look, random) => {
    for (let ring = 0; ring < 7; ring++) {
      const t = ring / 7;
      const petals = 8 - ring;
      const reach = size * (1 - t * 0.84);
      for (let index = 0; index < petals; index++) {
        const tone = lighten(mixColors(look.color, look.ink, t * 0.22), random.range(-0.02, 0.02));
        petal(
          ctx,
          (index / petals) * Math.PI * 2 + ring * 0.9,
          reach,
          reach * 1.15,
          mixColors(tone, look.ink, 0.45),
          mixColors(tone, look.light, 0.3 * (1 - t)),
          look.ink,
        );
      }
    }
  },
  tulip: (ctx, size, look) => {
    for (const [angle, width] of [
      [-0.42, 0.75],
      [0.42, 0.75],
      [-0.16, 0.85],
      [0.2, 0.85],
      [0, 0.8],
    ] as const) {
      petal(
        ctx,
        angle,
        size * (angle === 0 ? 1.06 : 1.2),
        size * width,
        mixColors(look.color, look.ink, 0.3 - Math.abs(angle) * 0.2),
        mixColors(look.color, look.light, 0.18 + Math.abs(angle) * 0.3),
        look.ink,
      );
    }
  },
  star: (ctx, size, look, random) => {
    for (let index = 0; index < 5; index++) {
      petal(
        ctx,
        (index / 5) * Math.PI * 2,
        size,
        size * 0.78,
        mixColors(look.color, look.ink, 0.28),
        mixColors(look.color, look.light, 0.4),
        look.ink,
      );
    }
    heart(ctx, size * 0.13, hex('#e8c34a'), look.ink, random);
  },
} satisfies Record<FlowerForm, (ctx: Ctx, size: number, look: FlowerLook, random: Random) => void>;

/** A flower seen from the front with its center at (x, y); a tulip stands on that point. */
export function flower(
  ctx: Ctx,
  form: FlowerForm,
  x: number,
  y: number,
  size: number,
  turn: number,
  look: FlowerLook,
  random: Random,
): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(turn);
  if (form !== 'tulip') ctx.scale(1, 0.9);
  forms[form](ctx, size, look, random);
  ctx.restore();
}
