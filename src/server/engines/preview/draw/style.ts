import type { Style } from '../brief/lexicon.ts';
import { css, lighten, mixColors } from '../color/color.ts';
import { grain } from './finish.ts';
import { fbm } from './noise.ts';
import { createScratch, type Ctx, type Stage } from './stage.ts';

type Finish = (ctx: Ctx, stage: Stage) => void;

const scratch = createScratch();

function sampled(
  ctx: Ctx,
  columns: number,
): { width: number; height: number; data: Uint8ClampedArray; canvas: ReturnType<typeof scratch>['canvas'] } {
  const { width, height } = ctx.canvas;
  const rows = Math.max(1, Math.round((columns * height) / width));
  const small = scratch(columns, rows);
  small.ctx.imageSmoothingQuality = 'medium';
  small.ctx.drawImage(ctx.canvas, 0, 0, columns, rows);
  const { data } = small.ctx.getImageData(0, 0, columns, rows);
  return { width: columns, height: rows, data, canvas: small.canvas };
}

function paintStrokes(ctx: Ctx, stage: Stage): void {
  const { width, height } = stage;
  const random = stage.random.fork('strokes');
  const seed = stage.brief.seed & 0xffff;
  const small = sampled(ctx, Math.round(Math.sqrt((width / height) * 60_000)));
  ctx.lineCap = 'round';
  const clip = stage.bleed > 0 ? 0.45 : 1;
  for (const [count, length, weight] of [
    [1300, 42, 15],
    [3200, 24, 7.5],
    [5200, 12, 3.4],
  ] as const) {
    for (let stroke = 0; stroke < count * clip; stroke++) {
      const x = random.next() * width;
      const y = random.next() * height;
      const column = Math.min(small.width - 1, Math.floor((x / width) * small.width));
      const row = Math.min(small.height - 1, Math.floor((y / height) * small.height));
      const at = (row * small.width + column) * 4;
      const lift = random.range(-13, 13);
      const channel = (index: number): number =>
        Math.min(255, Math.max(0, Math.round((small.data[at + index] ?? 0) + lift)));
      const angle = fbm(x / 260, y / 260, seed, 2) * 7;
      const half = (length * random.range(0.5, 1)) / 2;
      ctx.strokeStyle = `rgba(${channel(0)},${channel(1)},${channel(2)},0.82)`;
      ctx.lineWidth = weight * random.range(0.5, 1.1);
      ctx.beginPath();
      ctx.moveTo(x - Math.cos(angle) * half, y - Math.sin(angle) * half);
      ctx.lineTo(x + Math.cos(angle) * half, y + Math.sin(angle) * half);
      ctx.stroke();
    }
  }
}

function paintHalftone(ctx: Ctx, stage: Stage): void {
  const { width, height, palette } = stage;
  const pitch = 8.5;
  const columns = Math.ceil(width / pitch) + 1;
  const small = sampled(ctx, columns);
  ctx.fillStyle = css(mixColors(lighten(palette.paper, 0.05), palette.light, 0.3));
  ctx.fillRect(0, 0, width, height);
  for (let row = 0; row < small.height; row++) {
    for (let column = 0; column < columns; column++) {
      const at = (row * columns + column) * 4;
      const [r = 0, g = 0, b = 0] = small.data.subarray(at, at + 3);
      const dark = 1 - (0.3 * r + 0.59 * g + 0.11 * b) / 255;
      ctx.fillStyle = `rgb(${Math.round(r * 0.72)},${Math.round(g * 0.72)},${Math.round(b * 0.72)})`;
      ctx.beginPath();
      ctx.arc((column + (row % 2) / 2) * pitch, row * pitch, pitch * 0.74 * Math.sqrt(dark), 0, 7);
      ctx.fill();
    }
  }
}

const STYLES = {
  monochrome(ctx, { width, height }) {
    ctx.globalCompositeOperation = 'saturation';
    ctx.fillStyle = '#808080';
    ctx.fillRect(0, 0, width, height);
  },
  vintage(ctx, { width, height, scale }) {
    ctx.globalCompositeOperation = 'soft-light';
    ctx.fillStyle = 'rgba(240,190,120,0.35)';
    ctx.fillRect(0, 0, width, height);
    ctx.globalCompositeOperation = 'lighten';
    ctx.fillStyle = 'rgb(44,36,40)';
    ctx.fillRect(0, 0, width, height);
    grain(ctx, 0.22, scale);
  },
  pixel(ctx, { width, height }) {
    const small = sampled(ctx, Math.round(Math.sqrt((width / height) * 15_000)));
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(small.canvas, 0, 0, width, height);
    ctx.imageSmoothingEnabled = true;
  },
  halftone: paintHalftone,
  painted: paintStrokes,
  soft(ctx, { width, height }) {
    const small = sampled(ctx, 90);
    ctx.globalCompositeOperation = 'screen';
    ctx.globalAlpha = 0.28;
    ctx.imageSmoothingQuality = 'high';
    ctx.drawImage(small.canvas, 0, 0, width, height);
  },
} satisfies Record<Style, Finish>;

export function applyStyle(ctx: Ctx, stage: Stage): void {
  const { style } = stage.brief;
  if (style === null) return;
  ctx.save();
  STYLES[style](ctx, stage);
  ctx.restore();
}
