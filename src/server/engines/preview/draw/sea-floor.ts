import { css, lighten, mixColors, saturate, type Color } from '../color/color.ts';
import { fbm } from './noise.ts';
import { createRidge, paintRidge } from './ridge.ts';
import { hazed } from './sea-life.ts';
import type { Ctx, Plane, Stage } from './stage.ts';
import { groundTexture } from './texture.ts';

export function kelpPlane(stage: Stage, t: number): Plane {
  const { palette, width, height } = stage;
  const random = stage.random.fork(`kelp ${t}`);
  const color = hazed(stage, mixColors(palette.near, palette.mid, 0.35), t);
  const side = random.chance(0.5);
  const fronds = Array.from({ length: 11 }, (_, index) => ({
    x: width * (side ? random.range(-0.06, 0.26) : random.range(0.74, 1.06)) * (index < 8 ? 1 : random.range(0.2, 1)),
    length: height * random.range(0.35, 0.85),
    phase: random.range(0, 7),
    width: random.range(9, 20),
  }));
  return {
    depth: 0.3 + 0.6 * t,
    live: true,
    paint(ctx, time_s) {
      for (const frond of fronds) {
        ctx.fillStyle = css(color);
        const at = (s: number): number => frond.x + Math.sin(time_s * 0.7 + frond.phase + s * 3.2) * 26 * s * s;
        for (let step = 1; step <= 22; step++) {
          const s = step / 22;
          const x = at(s);
          const y = height + stage.bleed - s * (frond.length + stage.bleed);
          const size = frond.width * 2.7 * (1 - s * 0.55);
          ctx.save();
          ctx.translate(x, y);
          ctx.rotate((step % 2 === 0 ? 1 : -1) * (0.9 + 0.25 * Math.sin(time_s + step + frond.phase)));
          ctx.beginPath();
          ctx.moveTo(0, 0);
          ctx.quadraticCurveTo(size * 0.3, -size * 0.6, 0, -size * 1.7);
          ctx.quadraticCurveTo(-size * 0.3, -size * 0.6, 0, 0);
          ctx.fill();
          ctx.restore();
        }
        ctx.strokeStyle = css(lighten(color, -0.02));
        ctx.lineWidth = frond.width * 0.28;
        ctx.beginPath();
        for (let step = 0; step <= 22; step++)
          ctx.lineTo(at(step / 22), height + stage.bleed - (step / 22) * (frond.length + stage.bleed));
        ctx.stroke();
      }
    },
  };
}

export function reefPlane(stage: Stage, t: number): Plane {
  const { palette, width, height } = stage;
  const random = stage.random.fork(`reef ${t}`);
  const seed = random.int(0, 9999);
  const base = createRidge('hills', height * (0.82 + 0.2 * t), Math.min(width, height) * (0.34 - 0.1 * t), seed, 4);
  const valley = (x: number): number => Math.min(1, (Math.abs(x / width - 0.5) * 2) ** 1.5);
  const ridge = {
    at: (x: number): number => base.at(x) + (1 - valley(x)) * height * 0.16 - fbm(x / 26, t, seed, 3) * 16 * t,
    bottom: height,
  };
  const color = hazed(stage, mixColors(palette.near, palette.mid, 0.25), t);
  const texture = groundTexture('rock', seed, true);
  return {
    depth: 0.15 + 0.8 * t,
    paint(ctx) {
      const corals: [Color, ...Color[]] = [
        palette.accent,
        palette.accent_2,
        palette.far,
        saturate(palette.accent, 0.7),
      ];
      for (let coral = Math.round((10 + 16 * t) * stage.detail); coral > 0; coral--) {
        const x = random.range(-stage.bleed, width + stage.bleed);
        paintCoral(
          ctx,
          x,
          ridge.at(x) + 4,
          (14 + 46 * t) * random.range(0.6, 1.3),
          hazed(stage, random.pick(corals), 0.25 + t * 0.6),
          random,
        );
      }
      paintRidge(ctx, stage, ridge, height + stage.bleed, {
        color,
        mist: hazed(stage, color, 0.1),
        mist_strength: 0.3 * (1 - t),
        light: palette.light,
        relief: 0.4,
        texture,
        snow: 0,
      });
    },
  };
}

function paintCoral(ctx: Ctx, x: number, y: number, size: number, color: Color, random: Stage['random']): void {
  ctx.strokeStyle = css(color);
  ctx.lineCap = 'round';
  const grow = (px: number, py: number, angle: number, length: number, depth: number): void => {
    const ex = px + Math.cos(angle) * length;
    const ey = py + Math.sin(angle) * length;
    ctx.lineWidth = Math.max(0.7, length * 0.22);
    ctx.beginPath();
    ctx.moveTo(px, py);
    ctx.lineTo(ex, ey);
    ctx.stroke();
    if (depth === 0) return;
    for (const turn of [-0.5, 0.05, 0.5])
      if (random.chance(0.8))
        grow(ex, ey, angle + turn * random.range(0.6, 1.2), length * random.range(0.6, 0.8), depth - 1);
  };
  grow(x, y, -Math.PI / 2 + random.range(-0.3, 0.3), size * 0.36, 3);
}

export function bubblesPlane(stage: Stage): Plane {
  const { palette, width, height } = stage;
  const random = stage.random.fork('bubbles');
  const bubbles = Array.from({ length: Math.round(60 * stage.detail) }, () => ({
    x: random.range(0, width),
    y: random.range(0, height * 1.1),
    r: 0.8 + random.next() ** 4 * 9,
    phase: random.range(0, 7),
  }));
  return {
    depth: 0.7,
    live: true,
    paint(ctx, time_s) {
      for (const bubble of bubbles) {
        const span = height * 1.15;
        const y = ((((bubble.y - time_s * (14 + bubble.r * 5)) % span) + span) % span) - height * 0.05;
        const x = bubble.x + Math.sin(time_s * 2 + bubble.phase) * 3;
        const ball = ctx.createRadialGradient(x - bubble.r * 0.35, y - bubble.r * 0.35, 0, x, y, bubble.r);
        ball.addColorStop(0, css(palette.light, 0.7));
        ball.addColorStop(0.3, css(palette.light, 0.08));
        ball.addColorStop(0.85, css(palette.light, 0.12));
        ball.addColorStop(1, css(palette.light, 0.5));
        ctx.fillStyle = ball;
        ctx.beginPath();
        ctx.arc(x, y, bubble.r, 0, 7);
        ctx.fill();
      }
    },
  };
}
