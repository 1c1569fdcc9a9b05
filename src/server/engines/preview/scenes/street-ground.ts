import { css, lighten, mixColors } from '../color/color.ts';
import { glow, vertical } from '../draw/light.ts';
import { field, type Plane, type Stage } from '../draw/stage.ts';
import type { Random } from '../random.ts';

/** One-point perspective: the vanishing point, and pixels per unit of the world at distance 1. */
export interface View {
  x: number;
  y: number;
  reach: number;
}

/** Half the width of the street and the height of the eye, in units of the world. */
const HALF = 1;
const EYE = 0.32;

export const across = (view: View, side: number, distance: number): number =>
  view.x + (side * HALF * view.reach) / distance;
export const up = (view: View, tall: number, distance: number): number =>
  view.y - ((tall - EYE) * view.reach) / distance;

export function kerbPlane(stage: Stage, view: View): Plane {
  const { palette } = stage;
  const area = field(stage);
  const bottom = area.y + area.height;
  const nearest = (EYE * view.reach) / (bottom - view.y);
  return {
    depth: 0.14,
    paint(ctx) {
      for (const side of [-1, 1]) {
        ctx.fillStyle = vertical(ctx, view.y, bottom, [
          [0, mixColors(palette.sky[2], palette.near, 0.4), 0.2],
          [0.3, mixColors(palette.near, palette.mid, 0.35), 0.55],
          [1, palette.ink, 0.8],
        ]);
        ctx.beginPath();
        ctx.moveTo(view.x, view.y);
        ctx.lineTo(across(view, side * 0.62, nearest), bottom);
        ctx.lineTo(across(view, side * 4, nearest), bottom);
        ctx.fill();
        ctx.strokeStyle = css(palette.light, 0.28);
        ctx.lineWidth = 1.2;
        ctx.beginPath();
        ctx.moveTo(view.x, view.y);
        ctx.lineTo(across(view, side * 0.62, nearest), bottom);
        ctx.stroke();
      }
    },
  };
}

export function trafficPlane(stage: Stage, view: View, random: Random): Plane {
  const { palette } = stage;
  const cars = Array.from({ length: 9 }, (_, index) => ({
    phase: random.next() * 9,
    coming: index % 2 === 0,
    lane: random.range(0.2, 0.34),
    speed: random.range(0.35, 0.6),
  }));
  const red = mixColors(palette.accent, { l: 0.6, a: 0.2, b: 0.1 }, 0.6);
  return {
    depth: 0.2,
    live: true,
    paint(ctx, time_s) {
      ctx.globalCompositeOperation = 'screen';
      for (const car of cars) {
        const along = (car.phase + car.speed * time_s * (car.coming ? -1 : 1) + 900) % 9;
        const distance = 1.7 + along * 1.3;
        const color = car.coming ? lighten(palette.light, 0.03) : red;
        const size = view.reach / distance;
        for (const lamp of [-0.07, 0.07]) {
          const x = across(view, (car.coming ? -1 : 1) * car.lane + lamp, distance);
          const y = up(view, 0.09, distance);
          glow(ctx, x, y, size * 0.13, color, 0.9);
          ctx.fillStyle = vertical(ctx, y, y + size * 0.3, [
            [0, color, 0.4],
            [1, color, 0],
          ]);
          ctx.fillRect(x - size * 0.012, y, size * 0.024, size * 0.3);
        }
      }
    },
  };
}
