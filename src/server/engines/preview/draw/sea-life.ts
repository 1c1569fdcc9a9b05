import { css, lighten, mixColors, saturate, type Color } from '../color/color.ts';
import { glow, vertical } from './light.ts';
import type { Ctx, Plane, Stage } from './stage.ts';

/** @param t 1: close, 0: far */
export const hazed = (stage: Stage, color: Color, t: number): Color =>
  mixColors(color, mixColors(stage.palette.sky[1], stage.palette.sky[0], 0.45), (1 - t) * 0.72);

export function schoolPlane(stage: Stage, t: number): Plane {
  const { palette, width, height } = stage;
  const random = stage.random.fork(`school ${t}`);
  const heading = random.chance(0.5) ? 1 : -1;
  const center = { x: random.range(0.25, 0.75) * width, y: random.range(0.22, 0.55) * height };
  const size = (5 + 17 * t) * random.range(0.9, 1.2);
  const color = hazed(stage, random.pick([palette.accent, palette.accent_2, palette.light]), 0.35 + t * 0.6);
  const fish = Array.from({ length: Math.round((t < 0.5 ? 60 : 22) * stage.detail) }, () => {
    const angle = random.range(0, 7);
    const reach = Math.sqrt(random.next());
    return {
      x: Math.cos(angle) * reach * width * 0.3,
      y: Math.sin(angle) * reach * height * 0.12,
      size: size * random.range(0.7, 1.25),
      phase: random.range(0, 7),
    };
  });
  return {
    depth: 0.2 + 0.6 * t,
    live: true,
    paint(ctx, time_s) {
      for (const one of fish) {
        const x = center.x + one.x + heading * time_s * (9 + 16 * t);
        const y = center.y + one.y + Math.sin(time_s * 1.2 + one.phase) * 4 + one.x * 0.12;
        paintFish(ctx, x, y, one.size, heading, Math.sin(time_s * 9 + one.phase) * 0.3, color, palette.light);
      }
    },
  };
}

function paintFish(
  ctx: Ctx,
  x: number,
  y: number,
  size: number,
  heading: number,
  wag: number,
  color: Color,
  light: Color,
): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(heading * size, size);
  const body = ctx.createLinearGradient(0, -0.4, 0, 0.4);
  body.addColorStop(0, css(lighten(color, -0.1)));
  body.addColorStop(0.5, css(color));
  body.addColorStop(1, css(mixColors(color, light, 0.6)));
  ctx.fillStyle = body;
  ctx.beginPath();
  ctx.moveTo(1, 0.02);
  ctx.bezierCurveTo(0.6, -0.42, -0.2, -0.46, -0.8, -0.06 + wag * 0.3);
  ctx.lineTo(-1.35, -0.36 + wag);
  ctx.quadraticCurveTo(-1.12, 0.02 + wag, -1.35, 0.4 + wag);
  ctx.lineTo(-0.8, 0.08 + wag * 0.3);
  ctx.bezierCurveTo(-0.2, 0.44, 0.6, 0.4, 1, 0.02);
  ctx.fill();
  ctx.beginPath();
  ctx.moveTo(0.15, -0.32);
  ctx.quadraticCurveTo(-0.15, -0.68, -0.5, -0.5);
  ctx.lineTo(-0.4, -0.22);
  ctx.fill();
  ctx.fillStyle = css(lighten(color, -0.35));
  ctx.beginPath();
  ctx.arc(0.66, -0.07, 0.055, 0, 7);
  ctx.fill();
  ctx.restore();
}

export function jellyPlane(stage: Stage): Plane {
  const { palette, width, height } = stage;
  const random = stage.random.fork('jelly');
  const short = Math.min(width, height);
  const jellies = Array.from({ length: 5 }, (_, index) => ({
    x: random.range(0.14, 0.86) * width,
    y: random.range(0.18, 0.6) * height,
    size: short * (index === 0 ? 0.12 : random.range(0.03, 0.08)),
    phase: random.range(0, 7),
    color: random.pick([palette.accent, palette.accent_2, saturate(palette.light, 1)]),
  }));
  return {
    depth: 0.5,
    live: true,
    paint(ctx, time_s) {
      for (const jelly of jellies) {
        const pulse = Math.sin(time_s * 1.6 + jelly.phase);
        const wide = jelly.size * (1 + pulse * 0.07);
        const tall = jelly.size * (0.86 - pulse * 0.08);
        const y = jelly.y - time_s * 5 + Math.sin(time_s * 0.8 + jelly.phase) * 6;
        ctx.globalCompositeOperation = 'screen';
        glow(ctx, jelly.x, y, jelly.size * 2.6, jelly.color, 0.35);
        ctx.lineCap = 'round';
        for (let strand = 0; strand < 15; strand++) {
          const at = strand / 14 - 0.5;
          const length = jelly.size * (2.2 + Math.sin(strand * 7.3) * 0.9);
          ctx.strokeStyle = vertical(ctx, y, y + length, [
            [0, mixColors(jelly.color, palette.light, 0.4), 0.6],
            [1, jelly.color, 0],
          ]);
          ctx.lineWidth = jelly.size * (strand % 4 === 0 ? 0.05 : 0.018);
          ctx.beginPath();
          for (let step = 0; step <= 14; step++) {
            const t = step / 14;
            ctx.lineTo(
              jelly.x +
                at * wide * 1.5 * (1 - t * 0.4) +
                Math.sin(time_s * 1.4 - t * 5 + strand + jelly.phase) * jelly.size * 0.16 * t,
              y + t * length,
            );
          }
          ctx.stroke();
        }
        const bell = ctx.createRadialGradient(
          jelly.x - wide * 0.25,
          y - tall * 0.55,
          0,
          jelly.x,
          y - tall * 0.2,
          wide * 1.15,
        );
        bell.addColorStop(0, css(mixColors(jelly.color, palette.light, 0.75), 0.9));
        bell.addColorStop(0.55, css(jelly.color, 0.5));
        bell.addColorStop(1, css(mixColors(jelly.color, palette.light, 0.3), 0.75));
        ctx.globalCompositeOperation = 'source-over';
        ctx.fillStyle = bell;
        ctx.beginPath();
        ctx.moveTo(jelly.x - wide, y);
        ctx.bezierCurveTo(jelly.x - wide, y - tall * 1.35, jelly.x + wide, y - tall * 1.35, jelly.x + wide, y);
        for (let scallop = 6; scallop >= 0; scallop--) {
          const sx = jelly.x - wide + (scallop / 7) * wide * 2;
          ctx.quadraticCurveTo(sx + wide / 7, y + tall * 0.16, sx, y);
        }
        ctx.fill();
      }
    },
  };
}
