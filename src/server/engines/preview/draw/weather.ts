import type { Weather } from '../brief/lexicon.ts';
import { css, lighten, mixColors, toRgb, type Color } from '../color/color.ts';
import type { Random } from '../random.ts';
import { glow } from './light.ts';
import { fbm, smoothstep } from './noise.ts';
import { shade } from './shade.ts';
import { field, type Ctx, type Plane, type Stage } from './stage.ts';

interface Flake {
  x: number;
  y: number;
  size: number;
  phase: number;
}

function particles(
  stage: Stage,
  label: string,
  options: { count: number; size: [number, number]; fall: number; glide: number; depth: number },
  paint: (ctx: Ctx, flake: Flake, time_s: number) => void,
): Plane {
  const random: Random = stage.random.fork(label);
  const area = field(stage);
  const flakes: Flake[] = Array.from({ length: Math.round(options.count * stage.detail) }, () => ({
    x: random.next() * area.width,
    y: random.next() * area.height,
    size: options.size[0] + (options.size[1] - options.size[0]) * random.next() ** 3,
    phase: random.range(0, 7),
  }));
  const wrap = (value: number, span: number): number => ((value % span) + span) % span;
  return {
    depth: options.depth,
    live: true,
    paint(ctx, time_s) {
      for (const flake of flakes) {
        const speed = 0.6 + flake.size / options.size[1];
        const x =
          area.x +
          wrap(flake.x + options.glide * speed * time_s + Math.sin(time_s * 1.1 + flake.phase) * 6, area.width);
        const y = area.y + wrap(flake.y + options.fall * speed * time_s, area.height);
        paint(ctx, { ...flake, x, y }, time_s);
      }
    },
  };
}

const dot = (ctx: Ctx, x: number, y: number, radius: number, color: Color, alpha: number): void => {
  ctx.fillStyle = css(color, alpha);
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 7);
  ctx.fill();
};

function fogPlane(stage: Stage): Plane {
  const { palette, random } = stage;
  const area = field(stage);
  const seed = random.fork('fog').int(0, 9999);
  const tone = toRgb(mixColors(palette.sky[2], palette.light, 0.3));
  return {
    depth: 0.5,
    drift: { x: 8, y: 0 },
    paint(ctx) {
      const sheet = shade(240, (240 * area.height) / area.width, (u, v, out) => {
        const thick = smoothstep(0.42, 0.8, fbm((u * area.width) / 330, (v * area.height) / 110, seed, 4));
        const low = smoothstep(0.25, 0.75, v) * (1 - smoothstep(0.85, 1.05, v) * 0.5);
        out[0] = tone[0];
        out[1] = tone[1];
        out[2] = tone[2];
        out[3] = thick * low * 0.62;
      });
      ctx.imageSmoothingQuality = 'high';
      ctx.drawImage(sheet, area.x, area.y, area.width, area.height);
    },
  };
}

const makers = {
  fog: (stage) => fogPlane(stage),
  snow(stage) {
    const color = lighten(stage.palette.light, 0.05);
    return particles(stage, 'snow', { count: 260, size: [0.7, 4.2], fall: 34, glide: 9, depth: 0.8 }, (ctx, flake) =>
      dot(ctx, flake.x, flake.y, flake.size, color, 0.85 - flake.size * 0.12),
    );
  },
  rain(stage) {
    const color = mixColors(stage.palette.light, stage.palette.sky[2], 0.3);
    return particles(
      stage,
      'rain',
      { count: 240, size: [0.5, 1.3], fall: 620, glide: -60, depth: 0.8 },
      (ctx, flake) => {
        ctx.strokeStyle = css(color, 0.12 + flake.size * 0.14);
        ctx.lineWidth = flake.size * 0.8;
        ctx.beginPath();
        ctx.moveTo(flake.x, flake.y);
        ctx.lineTo(flake.x + 3.2 * flake.size, flake.y - 30 * flake.size);
        ctx.stroke();
      },
    );
  },
  petals: (stage) =>
    particles(
      stage,
      'petals',
      { count: 70, size: [2.2, 6.5], fall: 26, glide: 22, depth: 0.85 },
      (ctx, flake, time_s) => {
        ctx.save();
        ctx.translate(flake.x, flake.y);
        ctx.rotate(flake.phase + time_s * 0.8);
        ctx.fillStyle = css(
          lighten(mixColors(stage.palette.accent, stage.palette.light, 0.35 + 0.3 * Math.sin(flake.phase)), 0.02),
          0.88,
        );
        ctx.beginPath();
        ctx.ellipse(0, 0, flake.size, flake.size * (0.35 + 0.25 * Math.sin(time_s * 2 + flake.phase)), 0, 0, 7);
        ctx.fill();
        ctx.restore();
      },
    ),
  fireflies: (stage) =>
    particles(
      stage,
      'fireflies',
      { count: 46, size: [0.8, 2.2], fall: -4, glide: 5, depth: 0.7 },
      (ctx, flake, time_s) => {
        const pulse = 0.55 + 0.45 * Math.sin(time_s * 2.2 + flake.phase * 5);
        ctx.globalCompositeOperation = 'screen';
        glow(ctx, flake.x, flake.y, flake.size * 11, stage.palette.accent_2, 0.55 * pulse);
        dot(ctx, flake.x, flake.y, flake.size, stage.palette.light, pulse);
        ctx.globalCompositeOperation = 'source-over';
      },
    ),
  embers: (stage) =>
    particles(
      stage,
      'embers',
      { count: 110, size: [0.6, 2.4], fall: -58, glide: 12, depth: 0.8 },
      (ctx, flake, time_s) => {
        const pulse = 0.6 + 0.4 * Math.sin(time_s * 5 + flake.phase * 5);
        ctx.globalCompositeOperation = 'screen';
        glow(ctx, flake.x, flake.y, flake.size * 6, stage.palette.accent, 0.5 * pulse);
        dot(ctx, flake.x, flake.y, flake.size, lighten(stage.palette.accent_2, 0.08), pulse);
        ctx.globalCompositeOperation = 'source-over';
      },
    ),
  dust(stage) {
    const color = lighten(stage.palette.light, 0.03);
    return particles(stage, 'dust', { count: 130, size: [0.4, 2.6], fall: -5, glide: 7, depth: 0.7 }, (ctx, flake) =>
      dot(ctx, flake.x, flake.y, flake.size, color, 0.42 - flake.size * 0.12),
    );
  },
  stars: () => null,
} satisfies Record<Weather, (stage: Stage) => Plane | null>;

export const weatherPlanes = (stage: Stage): Plane[] =>
  stage.brief.weather.slice(0, 2).flatMap((kind) => makers[kind](stage) ?? []);
