import { css, lighten, mixColors, saturate, type Color } from '../color/color.ts';
import type { Random } from '../random.ts';
import { glow, vertical } from './light.ts';
import type { Ctx, Stage } from './stage.ts';

export interface Block {
  x: number;
  width: number;
  top: number;
  roof: Roof;
}

type Roof = 'flat' | 'stepped' | 'spire' | 'slanted' | 'tank' | 'dome';

export function rowOfBlocks(
  stage: Stage,
  base: number,
  tallest: number,
  size: number,
  peak_x: number,
  random: Random,
): Block[] {
  const blocks: Block[] = [];
  let x = -stage.bleed - random.range(0, size);
  while (x < stage.width + stage.bleed) {
    const width = size * random.range(0.55, 1.5);
    const away = Math.abs(x + width / 2 - peak_x) / (stage.width * 0.55);
    const envelope = 0.34 + 0.66 * Math.exp(-(away * away) * 1.6);
    const tall = tallest * envelope * random.range(0.45, 1) ** 0.8;
    const slender = tall / width > 3.2;
    const roof = slender
      ? random.pick<Roof>(['spire', 'stepped', 'flat', 'slanted', 'dome'])
      : random.pick<Roof>(['flat', 'flat', 'tank', 'stepped', 'slanted']);
    blocks.push({ x, width, top: base - tall, roof });
    x += width * random.range(0.86, 1.08);
  }
  return blocks;
}

const roofs = {
  flat: (ctx, { x, width, top }) => {
    ctx.rect(x + width * 0.12, top - width * 0.05, width * 0.3, width * 0.05);
  },
  stepped: (ctx, { x, width, top }) => {
    ctx.rect(x + width * 0.14, top - width * 0.16, width * 0.72, width * 0.17);
    ctx.rect(x + width * 0.28, top - width * 0.34, width * 0.44, width * 0.19);
    ctx.rect(x + width * 0.485, top - width * 0.8, width * 0.03, width * 0.5);
  },
  spire: (ctx, { x, width, top }) => {
    ctx.moveTo(x + width * 0.2, top + 1);
    ctx.lineTo(x + width * 0.47, top - width * 0.75);
    ctx.lineTo(x + width * 0.49, top - width * 1.6);
    ctx.lineTo(x + width * 0.51, top - width * 1.6);
    ctx.lineTo(x + width * 0.53, top - width * 0.75);
    ctx.lineTo(x + width * 0.8, top + 1);
    ctx.closePath();
  },
  slanted: (ctx, { x, width, top }) => {
    ctx.moveTo(x, top + 1);
    ctx.lineTo(x, top - width * 0.38);
    ctx.lineTo(x + width, top + 1);
    ctx.closePath();
  },
  tank: (ctx, { x, width, top }) => {
    const left = x + width * 0.55;
    const size = Math.min(12, width * 0.26);
    ctx.rect(left, top - size * 1.3, size, size);
    ctx.rect(left + size * 0.1, top - size * 0.4, size * 0.12, size * 0.45);
    ctx.rect(left + size * 0.78, top - size * 0.4, size * 0.12, size * 0.45);
    ctx.moveTo(left - size * 0.1, top - size * 1.28);
    ctx.lineTo(left + size * 0.5, top - size * 1.75);
    ctx.lineTo(left + size * 1.1, top - size * 1.28);
    ctx.closePath();
  },
  dome: (ctx, { x, width, top }) => {
    ctx.ellipse(x + width / 2, top + 1, width * 0.42, width * 0.5, 0, Math.PI, Math.PI * 2);
    ctx.rect(x + width * 0.485, top - width * 0.85, width * 0.03, width * 0.4);
  },
} satisfies Record<Roof, (ctx: Ctx, block: Block) => void>;

export interface FacadeLook {
  color: Color;
  haze: Color;
  haze_strength: number;
  windows: readonly [Color, ...Color[]];
  lit: number;
  window_size: number;
  light: Color;
  light_from_left: boolean;
}

export function paintBlocks(ctx: Ctx, blocks: readonly Block[], base: number, look: FacadeLook, random: Random): void {
  for (const block of blocks) paintBlock(ctx, block, base, look, random);
}

function paintBlock(ctx: Ctx, block: Block, base: number, look: FacadeLook, random: Random): void {
  const { x, width, top } = block;
  const color = lighten(look.color, random.range(-0.025, 0.025));
  ctx.fillStyle = vertical(ctx, top - width, base, [
    [0, color],
    [0.35, color],
    [1, mixColors(color, look.haze, look.haze_strength)],
  ]);
  ctx.beginPath();
  ctx.rect(x, top, width, base - top);
  ctx.fill();
  ctx.beginPath();
  roofs[block.roof](ctx, block);
  ctx.fill();
  const face = ctx.createLinearGradient(x, 0, x + width, 0);
  const [bright, dark] = look.light_from_left ? [0, 1] : [1, 0];
  face.addColorStop(bright, css(look.light, 0.2));
  face.addColorStop(0.5, css(look.light, 0));
  face.addColorStop(dark, css(lighten(look.color, -0.2), 0.28));
  ctx.fillStyle = face;
  ctx.fillRect(x, top, width, base - top);
  paintWindows(ctx, block, base, look, random);
}

function paintWindows(ctx: Ctx, { x, width, top }: Block, base: number, look: FacadeLook, random: Random): void {
  const size = look.window_size * random.range(0.85, 1.3);
  const pitch_x = size * random.range(1.55, 2.3);
  const pitch_y = size * random.range(1.9, 2.7);
  const columns = Math.floor((width - pitch_x * 0.6) / pitch_x);
  if (columns < 1) return;
  const start = x + (width - columns * pitch_x) / 2 + (pitch_x - size) / 2;
  const office = random.chance(0.3);
  const tone = random.pick(look.windows);
  // Setting a color per window would be slow: there are thousands in a few colors.
  const dim: [x: number, y: number][] = [];
  const panes = new Map([[css(mixColors(look.color, look.haze, 0.35), 0.35), dim]]);
  for (let y = top + pitch_y * 0.7; y < base - pitch_y; y += pitch_y) {
    const floor_lit = random.chance(office ? 0.5 : 0.9);
    for (let column = 0; column < columns; column++) {
      const place: [number, number] = [start + column * pitch_x, y];
      if (!(floor_lit && random.chance(office ? look.lit * 1.6 : look.lit))) {
        dim.push(place);
        continue;
      }
      const color = css(random.chance(0.8) ? tone : random.pick(look.windows), random.int(4, 10) / 10);
      const same = panes.get(color);
      if (same) same.push(place);
      else panes.set(color, [place]);
    }
  }
  for (const [color, places] of panes) {
    ctx.fillStyle = color;
    for (const [px, py] of places) ctx.fillRect(px, py, office ? pitch_x * 0.92 : size, size * 1.25);
  }
}

export function neonSign(ctx: Ctx, x: number, y: number, height: number, color: Color, random: Random): void {
  ctx.save();
  ctx.globalCompositeOperation = 'screen';
  glow(ctx, x, y + height / 2, height * 1.1, color, 0.5);
  ctx.globalCompositeOperation = 'source-over';
  const bright = saturate(lighten(color, 0.12), 1.1);
  ctx.strokeStyle = css(bright, 0.95);
  ctx.lineWidth = Math.max(1, height * 0.022);
  ctx.strokeRect(x - height * 0.11, y, height * 0.22, height);
  ctx.lineWidth *= 0.9;
  const glyphs = random.int(3, 5);
  for (let glyph = 0; glyph < glyphs; glyph++) {
    const cell = height / glyphs;
    const top = y + glyph * cell + cell * 0.2;
    for (let stroke = 0; stroke < 3; stroke++) {
      const across = random.chance(0.5);
      const at = random.range(0.1, 0.9);
      ctx.beginPath();
      if (across) {
        ctx.moveTo(x - height * 0.07, top + at * cell * 0.6);
        ctx.lineTo(x + height * 0.07, top + at * cell * 0.6);
      } else {
        ctx.moveTo(x + (at - 0.5) * height * 0.13, top);
        ctx.lineTo(x + (at - 0.5) * height * 0.13, top + cell * 0.6);
      }
      ctx.stroke();
    }
  }
  ctx.restore();
}
