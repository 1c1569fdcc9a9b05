import { hasWord } from '../brief/score.ts';
import { css, hex, lighten, mixColors } from '../color/color.ts';
import { glow, softEllipse, vertical } from '../draw/light.ts';
import { backHair, frontHair, head, neckAndShoulders, paintGlasses, paintHat, type Sitter } from '../draw/bust.ts';
import { leaf } from '../draw/leaves.ts';
import { field, type Plane, type Stage } from '../draw/stage.ts';
import type { Random } from '../random.ts';

const SKINS = ['#f3cdb0', '#e3ac86', '#c98a62', '#9c6240', '#6d412b'] as const;

export function portrait(stage: Stage): Plane[] {
  const { palette, width, height, brief } = stage;
  const random = stage.random.fork('portrait');
  const words = brief.words;
  const male = hasWord(words, 'man boy king gentleman grandfather businessman wizard knight warrior');
  const sitter: Sitter = {
    skin: hex(random.pick(SKINS)),
    hair: mixColors(
      hex(random.pick(['#2a1d18', '#4a2d1c', '#171418', '#8a5a34', '#b98a52', '#7d7a78'])),
      palette.ink,
      0.25,
    ),
    clothes: random.pick([palette.accent, palette.accent_2, palette.mid]),
    long_hair: !male && random.chance(0.6),
    bun: !male && random.chance(0.4),
    hat: hasWord(words, 'hat fashion cowboy detective gardener farmer') || random.chance(0.12),
    glasses: hasWord(words, 'glasses professor scientist doctor teacher nerd') || random.chance(0.15),
    facing: random.chance(0.5) ? 1 : -1,
  };
  const size = Math.min(width * 0.92, height * 0.82);
  const at = { x: width * 0.5, y: height };
  const ground: Plane[] = stage.cutout ? [] : [groundPlane(stage, random), formPlane(stage, size, random)];
  const foliage = foliagePlane(stage, size, random);
  return [...(stage.cutout ? [] : [...ground, foliage]), bustPlane(stage, sitter, at, size)];
}

function groundPlane(stage: Stage, random: Random): Plane {
  const { palette, width, height } = stage;
  const area = field(stage);
  const base = palette.night ? palette.sky[1] : palette.paper;
  const x = width * random.range(0.25, 0.75);
  return {
    depth: 0.05,
    paint(ctx) {
      ctx.fillStyle = vertical(ctx, 0, height, [
        [0, mixColors(base, palette.sky[1], 0.25)],
        [1, mixColors(base, palette.far, 0.45)],
      ]);
      ctx.fillRect(area.x, area.y, area.width, area.height);
      ctx.globalCompositeOperation = 'soft-light';
      glow(ctx, x, height * 0.3, Math.max(width, height) * 0.8, palette.light, 0.8);
    },
  };
}

function formPlane(stage: Stage, size: number, random: Random): Plane {
  const { palette, width, height } = stage;
  const arch = random.chance(0.4);
  const tone = random.pick([palette.accent_2, palette.sky[2], palette.far, palette.accent]);
  const x = width * 0.5 + random.range(-0.06, 0.06) * size;
  const radius = size * random.range(0.4, 0.5);
  const y = height - size * 0.62;
  return {
    depth: 0.14,
    paint(ctx) {
      const fill = ctx.createLinearGradient(x - radius, y - radius, x + radius, y + radius);
      fill.addColorStop(0, css(lighten(mixColors(tone, palette.light, 0.2), 0.02)));
      fill.addColorStop(1, css(mixColors(tone, palette.mid, 0.25)));
      ctx.fillStyle = fill;
      ctx.beginPath();
      ctx.arc(x, y, radius, 0, Math.PI * 2);
      if (arch) ctx.rect(x - radius, y, radius * 2, height + stage.bleed - y);
      ctx.fill();
    },
  };
}

function foliagePlane(stage: Stage, size: number, random: Random): Plane {
  const { palette, width, height } = stage;
  const leaves = Array.from({ length: 11 }, () => ({
    side: random.chance(0.5) ? 1 : -1,
    spread: random.range(0.34, 0.62),
    rise: random.range(0, 0.36),
    length: random.range(0.24, 0.5),
    turn: random.range(-0.3, 0.75),
  }));
  const form = random.pick(['oval', 'lance', 'heart'] as const);
  return {
    depth: 0.24,
    paint(ctx) {
      for (const one of leaves) {
        const color = mixColors(palette.mid, palette.near, random.range(0, 0.6));
        leaf(
          ctx,
          form,
          width / 2 + one.side * one.spread * size * 0.8,
          height - one.rise * size,
          one.length * size * 0.7,
          one.side * one.turn,
          color,
          palette.light,
          palette.ink,
        );
      }
    },
  };
}

function bustPlane(stage: Stage, sitter: Sitter, at: { x: number; y: number }, size: number): Plane {
  const { palette } = stage;
  const shade = mixColors(palette.ink, sitter.skin, 0.3);
  return {
    depth: 0.5,
    paint(ctx) {
      const unit = size * 0.46;
      ctx.translate(at.x, at.y - size * 0.5);
      ctx.scale(sitter.facing * unit, unit);
      if (sitter.long_hair) backHair(ctx, sitter, palette.ink);
      if (sitter.bun) {
        ctx.fillStyle = css(lighten(sitter.hair, 0.02));
        ctx.beginPath();
        ctx.arc(-0.2, -1.05, 0.17, 0, 7);
        ctx.fill();
      }
      neckAndShoulders(ctx, sitter, shade, palette.light, palette.ink, stage.bleed / unit);
      const face = ctx.createLinearGradient(-0.32, 0, 0.36, -0.1);
      face.addColorStop(0, css(mixColors(sitter.skin, shade, 0.62)));
      face.addColorStop(0.5, css(sitter.skin));
      face.addColorStop(1, css(mixColors(sitter.skin, palette.light, 0.35)));
      head(ctx);
      ctx.fillStyle = face;
      ctx.fill();
      ctx.save();
      ctx.clip();
      softEllipse(ctx, 0.2, -0.3, 0.16, 0.11, mixColors(sitter.skin, hex('#e2553f'), 0.5), 0.34);
      softEllipse(ctx, 0.27, -0.62, 0.2, 0.26, palette.light, 0.26);
      softEllipse(ctx, -0.1, -0.88, 0.5, 0.26, shade, 0.45);
      ctx.restore();
      frontHair(ctx, sitter, palette.light);
      if (sitter.glasses) paintGlasses(ctx, palette.ink);
      if (sitter.hat) paintHat(ctx, sitter, palette.accent_2, palette.ink);
    },
  };
}
