import { hasWord } from '../brief/score.ts';
import { css, lighten, mixColors, saturate, type Color } from '../color/color.ts';
import { glow, vertical } from '../draw/light.ts';
import { fbm } from '../draw/noise.ts';
import { createRidge, paintRidge, rockTexture } from '../draw/ridge.ts';
import { field, type Ctx, type Plane, type Stage } from '../draw/stage.ts';

/** Below the surface: shafts of light, schools of fish, jellyfish, kelp and a reef. */
export function underwater(stage: Stage): Plane[] {
  const { palette, height, width, brief } = stage;
  const random = stage.random.fork('underwater');
  const water: Plane[] = [depthsPlane(stage), shaftsPlane(stage)];
  const jelly = hasWord(brief.words, 'jellyfish') || random.chance(0.35);
  water.push(reefPlane(stage, 0.15), schoolPlane(stage, 0.3), reefPlane(stage, 0.5));
  if (jelly) water.push(jellyPlane(stage));
  else water.push(schoolPlane(stage, 0.6));
  const front = [kelpPlane(stage, 0.75), reefPlane(stage, 0.95), bubblesPlane(stage)];
  if (stage.cutout) return [schoolPlane(stage, 0.5), jellyPlane(stage), kelpPlane(stage, 0.75)];
  const dim: Plane = {
    depth: 0,
    paint(ctx) {
      ctx.globalCompositeOperation = 'multiply';
      ctx.fillStyle = vertical(ctx, height * 0.5, height, [
        [0, palette.light, 0],
        [1, mixColors(palette.near, palette.mid, 0.3), 0.5],
      ]);
      ctx.fillRect(-stage.bleed, height * 0.5, width + 2 * stage.bleed, height * 0.5 + stage.bleed);
    },
  };
  return [...water, ...front, dim];
}

function depthsPlane(stage: Stage): Plane {
  const { palette, width, height } = stage;
  const area = field(stage);
  const top = mixColors(palette.sky[2], palette.sky[1], 0.45);
  return {
    depth: 0,
    paint(ctx) {
      ctx.fillStyle = vertical(ctx, 0, height, [
        [0, lighten(top, 0.02)],
        [0.3, palette.sky[1]],
        [0.7, mixColors(palette.sky[0], palette.mid, 0.4)],
        [1, mixColors(palette.near, palette.sky[0], 0.35)],
      ]);
      ctx.fillRect(area.x, area.y, area.width, area.height);
      ctx.globalCompositeOperation = 'screen';
      glow(ctx, width * 0.55, -height * 0.08, Math.max(width, height) * 0.85, palette.light, 0.7);
    },
  };
}

function shaftsPlane(stage: Stage): Plane {
  const { palette, width, height } = stage;
  const random = stage.random.fork('shafts');
  const shafts = Array.from({ length: 15 }, () => ({
    x: random.range(-0.1, 1.1),
    w: random.range(0.015, 0.075),
    phase: random.range(0, 7),
    reach: random.range(0.55, 1),
  }));
  return {
    depth: 0.05,
    live: true,
    paint(ctx, time_s) {
      ctx.globalCompositeOperation = 'screen';
      for (const shaft of shafts) {
        const sway = Math.sin(time_s * 0.5 + shaft.phase) * 0.02;
        const top = width * (0.55 + (shaft.x - 0.55) * 0.55);
        const bottom = width * (0.55 + (shaft.x - 0.55) * 1.7 + sway);
        const half = shaft.w * width;
        const strength = 0.12 * (0.65 + 0.35 * Math.sin(time_s * 0.9 + shaft.phase * 3));
        ctx.fillStyle = vertical(ctx, -stage.bleed, height * shaft.reach, [
          [0, palette.light, strength],
          [0.4, palette.light, strength * 0.55],
          [1, palette.light, 0],
        ]);
        for (const spread of [1, 0.55]) {
          ctx.beginPath();
          ctx.moveTo(top - half * 0.4 * spread, -stage.bleed);
          ctx.lineTo(top + half * 0.4 * spread, -stage.bleed);
          ctx.lineTo(bottom + half * 1.5 * spread, height * shaft.reach);
          ctx.lineTo(bottom - half * 1.5 * spread, height * shaft.reach);
          ctx.fill();
        }
      }
    },
  };
}

const hazed = (stage: Stage, color: Color, t: number): Color =>
  mixColors(color, mixColors(stage.palette.sky[1], stage.palette.sky[0], 0.45), (1 - t) * 0.72);

function schoolPlane(stage: Stage, t: number): Plane {
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

function jellyPlane(stage: Stage): Plane {
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

function kelpPlane(stage: Stage, t: number): Plane {
  const { palette, width, height } = stage;
  const random = stage.random.fork(`kelp ${t}`);
  const color = hazed(stage, mixColors(palette.near, palette.mid, 0.35), t);
  const side = random.chance(0.5);
  const fronds = Array.from({ length: 11 }, (_, index) => ({
    x: width * (side ? random.range(-0.06, 0.26) : random.range(0.74, 1.06)) * (index < 8 ? 1 : random.range(0.2, 1)),
    length: height * random.range(0.35, 0.85),
    phase: random.range(0, 7),
    width: random.range(5, 13),
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

function reefPlane(stage: Stage, t: number): Plane {
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
  const texture = rockTexture(seed, true, 280);
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

function bubblesPlane(stage: Stage): Plane {
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
