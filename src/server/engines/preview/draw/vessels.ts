import { Path2D } from '@napi-rs/canvas';
import { css, lighten, mixColors, type Color } from '../color/color.ts';
import { fillPath, glow } from './light.ts';
import type { Ctx } from './stage.ts';
import type { SubjectForms, SubjectLook } from './subject.ts';

function onWater(ctx: Ctx, look: SubjectLook, reach: number, paint: () => void): void {
  ctx.save();
  ctx.scale(1, -0.5);
  ctx.globalAlpha *= 0.28;
  paint();
  ctx.restore();
  paint();
  ctx.strokeStyle = css(look.light, 0.5);
  ctx.lineWidth = 1.1;
  for (const [drop, part] of [
    [2, 1],
    [6, 0.8],
    [11, 0.62],
  ] as const) {
    ctx.beginPath();
    ctx.moveTo(-reach * part, drop);
    ctx.lineTo(reach * part, drop);
    ctx.stroke();
  }
}

const sail = (ctx: Ctx, path: string, from: Color, to: Color): void => {
  const cloth = ctx.createLinearGradient(-30, -90, 40, -10);
  cloth.addColorStop(0, css(from));
  cloth.addColorStop(1, css(to));
  ctx.fillStyle = cloth;
  fillPath(ctx, path);
};

function gores(ctx: Ctx, look: SubjectLook): void {
  const colors = [look.accent, look.accent_2, lighten(look.light, -0.04), look.accent];
  ctx.save();
  ctx.clip(
    new Path2D(
      'M0,-100 C30,-100 44,-80 44,-62 C44,-42 22,-28 9,-14 L-9,-14 C-22,-28 -44,-42 -44,-62 C-44,-80 -30,-100 0,-100 Z',
    ),
  );
  for (let index = 0; index < 9; index++) {
    const at = ((index - 4) / 4.5) * 44;
    const bend = Math.sin(((index - 4) / 4.5) * 1.4) * 46;
    ctx.fillStyle = css(colors[index % colors.length] ?? look.accent);
    ctx.beginPath();
    ctx.moveTo(0, -101);
    ctx.bezierCurveTo(bend, -101, bend * 1.02, -45, at * 0.24, -13);
    ctx.lineTo(44, -13);
    ctx.lineTo(50, -101);
    ctx.fill();
  }
  const round = ctx.createRadialGradient(look.light_from_left ? -16 : 16, -76, 4, 0, -62, 56);
  round.addColorStop(0, css(look.light, 0.5));
  round.addColorStop(0.5, css(look.light, 0));
  round.addColorStop(1, css(look.ink, 0.5));
  ctx.fillStyle = round;
  ctx.fillRect(-50, -102, 100, 95);
  ctx.restore();
}

export const VESSELS: SubjectForms<'boat' | 'ship' | 'balloon' | 'rocket' | 'car'> = {
  boat: {
    medium: 'water',
    height: 0.19,
    paint(ctx, look, _random, time_s) {
      ctx.rotate(Math.sin(time_s * 1.3) * 0.025);
      onWater(ctx, look, 44, () => {
        sail(
          ctx,
          'M2,-98 C26,-66 36,-40 40,-14 L2,-14 Z',
          lighten(look.light, 0.02),
          mixColors(look.light, look.accent, 0.35),
        );
        sail(
          ctx,
          'M-3,-90 C-14,-62 -24,-36 -31,-15 L-3,-15 Z',
          mixColors(look.light, look.ink, 0.16),
          mixColors(look.light, look.accent, 0.3),
        );
        ctx.fillStyle = css(look.dark);
        ctx.fillRect(-1.6, -100, 2.6, 92);
        ctx.fillStyle = css(mixColors(look.accent, look.ink, 0.55));
        fillPath(ctx, 'M-40,-11 L48,-11 C42,-3 36,0 28,0 L-26,0 C-34,-1 -38,-5 -40,-11 Z');
        ctx.fillStyle = css(look.light, 0.85);
        ctx.fillRect(-39, -10.5, 85, 1.7);
      });
    },
  },
  ship: {
    medium: 'water',
    height: 0.22,
    paint(ctx, look, _random, time_s) {
      ctx.rotate(Math.sin(time_s * 0.9) * 0.018);
      onWater(ctx, look, 66, () => {
        ctx.fillStyle = css(look.dark);
        fillPath(
          ctx,
          'M-66,-24 L-50,-22 L-48,-15 L58,-15 L78,-26 L66,-6 C60,0 52,2 44,2 L-40,2 C-54,0 -62,-10 -66,-24 Z',
        );
        for (const [x, tall] of [
          [-30, 74],
          [6, 98],
          [40, 78],
        ] as const) {
          ctx.fillRect(x - 1.2, -tall, 2.4, tall - 12);
          for (const [rise, wide] of [
            [0.86, 0.4],
            [0.6, 0.52],
            [0.32, 0.6],
          ] as const) {
            const y = -tall * rise;
            const half = wide * 30;
            sail(
              ctx,
              `M${x - half * 0.85},${y - 9} L${x + half * 0.85},${y - 9} C${x + half * 1.15},${y} ${x + half * 1.1},${y + 6} ${x + half},${y + 11} C${x + half * 0.3},${y + 7} ${x - half * 0.3},${y + 7} ${x - half},${y + 11} C${x - half * 0.8},${y + 4} ${x - half * 0.8},${y - 2} ${x - half * 0.85},${y - 9} Z`,
              mixColors(look.light, look.accent_2, 0.1),
              mixColors(look.light, look.ink, 0.32),
            );
          }
        }
        ctx.strokeStyle = css(look.dark, 0.7);
        ctx.lineWidth = 0.8;
        ctx.stroke(new Path2D('M78,-26 L40,-78 L6,-98 L-30,-74 L-62,-24 M58,-15 L40,-78 M-48,-15 L-30,-74'));
      });
    },
  },
  balloon: {
    medium: 'sky',
    height: 0.17,
    paint(ctx, look, _random, time_s) {
      ctx.translate(Math.sin(time_s * 0.5) * 3, Math.sin(time_s * 0.8) * 3);
      gores(ctx, look);
      ctx.strokeStyle = css(look.ink, 0.8);
      ctx.lineWidth = 0.7;
      ctx.stroke(new Path2D('M-9,-14 L-5,-7 M9,-14 L5,-7 M-3,-13 L-2.5,-7 M3,-13 L2.5,-7'));
      ctx.fillStyle = css(mixColors(look.ink, look.accent, 0.3));
      fillPath(ctx, 'M-6,-8 L6,-8 L5,0 L-5,0 Z');
      if (look.night) glow(ctx, 0, -18, 30, look.accent_2, 0.8);
    },
  },
  rocket: {
    medium: 'sky',
    height: 0.26,
    paint(ctx, look, _random, time_s) {
      const flicker = 1 + Math.sin(time_s * 23) * 0.08;
      glow(ctx, 0, 4, 46, look.accent_2, 0.7);
      const flame = ctx.createLinearGradient(0, -6, 0, 52 * flicker);
      flame.addColorStop(0, css(lighten(look.light, 0.05)));
      flame.addColorStop(0.35, css(look.accent_2));
      flame.addColorStop(1, css(look.accent, 0));
      ctx.fillStyle = flame;
      fillPath(ctx, `M-7,-6 C-13,14 -4,34 0,${52 * flicker} C4,34 13,14 7,-6 Z`);
      ctx.fillStyle = css(look.accent);
      fillPath(ctx, 'M-10,-34 L-24,-6 L-10,-12 Z M10,-34 L24,-6 L10,-12 Z');
      const hull = ctx.createLinearGradient(-14, 0, 14, 0);
      hull.addColorStop(0, css(mixColors(look.light, look.ink, 0.45)));
      hull.addColorStop(look.light_from_left ? 0.3 : 0.7, css(lighten(look.light, 0.02)));
      hull.addColorStop(1, css(mixColors(look.light, look.ink, 0.5)));
      ctx.fillStyle = hull;
      fillPath(
        ctx,
        'M0,-100 C11,-86 14,-66 13,-40 C13,-26 11,-14 9,-6 L-9,-6 C-11,-14 -13,-26 -13,-40 C-14,-66 -11,-86 0,-100 Z',
      );
      ctx.fillStyle = css(look.accent);
      fillPath(ctx, 'M0,-100 C6,-92 9.6,-84 11.4,-76 L-11.4,-76 C-9.6,-84 -6,-92 0,-100 Z');
      ctx.fillStyle = css(mixColors(look.accent_2, look.ink, 0.4));
      ctx.beginPath();
      ctx.arc(0, -58, 5.6, 0, 7);
      ctx.fill();
    },
  },
  car: {
    medium: 'ground',
    height: 0.1,
    paint(ctx, look) {
      ctx.fillStyle = css(look.ink, 0.4);
      fillPath(ctx, 'M-128,0 L132,0 L118,9 L-116,9 Z');
      const paint = ctx.createLinearGradient(0, -100, 0, -12);
      paint.addColorStop(0, css(mixColors(look.accent, look.light, 0.5)));
      paint.addColorStop(0.45, css(look.accent));
      paint.addColorStop(1, css(mixColors(look.accent, look.ink, 0.55)));
      ctx.fillStyle = paint;
      fillPath(
        ctx,
        'M-130,-24 C-132,-46 -122,-56 -100,-58 L-68,-62 C-52,-90 -40,-98 -10,-98 L22,-98 C44,-98 58,-84 70,-64 L104,-58 C124,-54 132,-44 132,-24 C132,-16 126,-12 118,-12 L-118,-12 C-126,-12 -130,-16 -130,-24 Z',
      );
      ctx.fillStyle = css(mixColors(look.ink, look.light, 0.4));
      fillPath(
        ctx,
        'M-56,-63 C-46,-82 -36,-89 -14,-89 L-2,-89 L-2,-63 Z M6,-89 L20,-89 C38,-89 48,-80 58,-63 L6,-63 Z',
      );
      ctx.fillStyle = css(look.light, 0.9);
      fillPath(ctx, 'M-128,-34 L128,-34 L128,-30.5 L-128,-30.5 Z');
      for (const x of [-76, 78]) {
        for (const [radius, color] of [
          [24, mixColors(look.ink, look.dark, 0.3)],
          [14, mixColors(look.light, look.ink, 0.25)],
          [5, look.ink],
        ] as const) {
          ctx.fillStyle = css(color);
          ctx.beginPath();
          ctx.arc(x, -19, radius, 0, 7);
          ctx.fill();
        }
      }
      glow(ctx, 128, -44, 40, lighten(look.light, 0.03), look.night ? 0.95 : 0.5);
    },
  },
};
