import { hasWord } from '../brief/score.ts';
import { lighten, mixColors } from '../color/color.ts';
import { glow, vertical } from '../draw/light.ts';
import { bubblesPlane, kelpPlane, reefPlane } from '../draw/sea-floor.ts';
import { jellyPlane, schoolPlane } from '../draw/sea-life.ts';
import { field, type Plane, type Stage } from '../draw/stage.ts';

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
    blend: 'multiply',
    paint(ctx) {
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
