import { css, lighten, mixColors, type Color } from '../color/color.ts';
import type { Random } from '../random.ts';
import type { Ctx, Stage } from './stage.ts';

export type LeafForm = 'lance' | 'oval' | 'heart' | 'split' | 'round';

const widths = { lance: 0.14, oval: 0.27, heart: 0.4, split: 0.44, round: 0.42 } as const satisfies Record<
  LeafForm,
  number
>;

function traceLeaf(ctx: Ctx, form: LeafForm): void {
  const w = widths[form];
  ctx.beginPath();
  ctx.moveTo(0, 0);
  if (form === 'heart') {
    ctx.bezierCurveTo(w * 0.7, 0.14, w * 1.5, -0.12, w * 1.15, -0.5);
    ctx.bezierCurveTo(w * 0.9, -0.78, w * 0.25, -0.85, 0, -1);
    ctx.bezierCurveTo(-w * 0.25, -0.85, -w * 0.9, -0.78, -w * 1.15, -0.5);
    ctx.bezierCurveTo(-w * 1.5, -0.12, -w * 0.7, 0.14, 0, 0);
  } else if (form === 'split') {
    for (const side of [1, -1] as const) {
      const lobes = 5;
      for (let step = 0; step < lobes; step++) {
        const lobe = side === 1 ? step : lobes - 1 - step;
        const t0 = 0.08 + (0.84 * lobe) / lobes;
        const t1 = 0.08 + (0.84 * (lobe + 0.82)) / lobes;
        const bulge = w * 1.5 * Math.sin(Math.PI * Math.min(1, (t0 + t1) / 2 + 0.12)) ** 0.7;
        const [from, to] = side === 1 ? [t0, t1] : [t1, t0];
        ctx.lineTo(side * 0.07, -from);
        ctx.bezierCurveTo(
          side * bulge * 0.8,
          -from + 0.06 * side,
          side * bulge * 1.15,
          -to - 0.03 * side,
          side * bulge * 0.8,
          -to - 0.05 * side,
        );
        ctx.lineTo(side * 0.08, -to);
      }
      if (side === 1) ctx.quadraticCurveTo(0.1, -0.95, 0, -1.04);
    }
  } else {
    const belly = form === 'round' ? 0.5 : 0.38;
    ctx.bezierCurveTo(w * 1.1, -belly * 0.35, w * 1.25, -belly * 1.7, 0, -1);
    ctx.bezierCurveTo(-w * 1.25, -belly * 1.7, -w * 1.1, -belly * 0.35, 0, 0);
  }
  ctx.closePath();
}

/** Shorter leaves are too small to show veins. */
const FINE_LENGTH = 34;

function paintVeins(ctx: Ctx, form: LeafForm, length: number, color: Color): void {
  ctx.strokeStyle = css(color, 0.5);
  ctx.lineWidth = Math.max(0.006, 0.55 / length);
  ctx.beginPath();
  for (let vein = 1; vein <= 7; vein++) {
    const t = vein / 8;
    // As long as the leaf is wide there.
    const reach = widths[form] * Math.sin(Math.PI * Math.min(0.94, t * 0.8 + 0.2)) * (form === 'heart' ? 0.95 : 0.72);
    for (const side of [-1, 1]) {
      ctx.moveTo(0, -t * 0.92);
      ctx.quadraticCurveTo(side * reach * 0.55, -t * 0.92 - 0.04, side * reach, -t * 0.92 - 0.13);
    }
  }
  ctx.stroke();
}

/** @param angle 0 points up */
export function leaf(
  ctx: Ctx,
  form: LeafForm,
  x: number,
  y: number,
  length: number,
  angle: number,
  color: Color,
  light: Color,
  ink: Color,
): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(angle);
  ctx.scale(length, length);
  const gradient = ctx.createLinearGradient(-widths[form], -0.1, widths[form], -0.7);
  gradient.addColorStop(0, css(mixColors(color, ink, 0.32)));
  gradient.addColorStop(0.48, css(color));
  gradient.addColorStop(0.52, css(lighten(mixColors(color, light, 0.12), 0.02)));
  gradient.addColorStop(1, css(mixColors(color, light, 0.36)));
  traceLeaf(ctx, form);
  ctx.fillStyle = gradient;
  ctx.fill();
  const shadow = ctx.createLinearGradient(0, 0, 0, -0.5);
  shadow.addColorStop(0, css(ink, 0.38));
  shadow.addColorStop(1, css(ink, 0));
  ctx.fillStyle = shadow;
  ctx.fill();
  if (length > FINE_LENGTH && form !== 'lance') paintVeins(ctx, form, length, mixColors(color, light, 0.5));
  ctx.strokeStyle = css(mixColors(color, light, 0.55), 0.75);
  ctx.lineWidth = Math.max(0.011, 0.8 / length);
  ctx.beginPath();
  ctx.moveTo(0, 0.02);
  ctx.quadraticCurveTo(0.012, -0.5, 0, -0.96);
  ctx.stroke();
  ctx.restore();
}

export function branch(
  ctx: Ctx,
  x: number,
  y: number,
  length: number,
  lean: number,
  stage: Stage,
  random: Random,
): void {
  const { palette } = stage;
  const form = random.pick<LeafForm>(['lance', 'oval', 'round']);
  const color = mixColors(random.pick([palette.mid, palette.near, palette.accent_2, palette.far]), palette.mid, 0.4);
  const end = { x: x + Math.sin(lean) * length, y: y - Math.cos(lean) * length };
  const control = { x: x + Math.sin(lean * 0.3) * length * 0.5, y: y - length * 0.6 };
  const at = (t: number): { x: number; y: number } => ({
    x: (1 - t) ** 2 * x + 2 * (1 - t) * t * control.x + t * t * end.x,
    y: (1 - t) ** 2 * y + 2 * (1 - t) * t * control.y + t * t * end.y,
  });
  ctx.strokeStyle = css(mixColors(color, palette.ink, 0.35));
  ctx.lineWidth = Math.max(0.8, length * 0.009);
  ctx.lineCap = 'round';
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.quadraticCurveTo(control.x, control.y, end.x, end.y);
  ctx.stroke();
  const leaves = Math.round(length / (form === 'lance' ? 11 : 15));
  for (let index = 2; index <= leaves; index++) {
    const t = index / leaves;
    const point = at(t);
    const size = length * (form === 'lance' ? 0.24 : 0.16) * (1.15 - t * 0.6) * random.range(0.8, 1.2);
    const side = index % 2 === 0 ? 1 : -1;
    leaf(
      ctx,
      form,
      point.x,
      point.y,
      size,
      lean * t + side * random.range(0.7, 1.15),
      lighten(color, random.range(-0.04, 0.06)),
      palette.light,
      palette.ink,
    );
  }
  leaf(ctx, form, end.x, end.y, length * 0.13, lean, color, palette.light, palette.ink);
}
