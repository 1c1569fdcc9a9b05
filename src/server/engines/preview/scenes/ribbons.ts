import { lighten, mixColors, saturate, toRgb, type Color } from '../color/color.ts';
import { glow, vertical } from '../draw/light.ts';
import { bitmap, field, type Plane, type Stage } from '../draw/stage.ts';

interface Ribbon {
  phase: number;
  bend: number;
  base: number;
  spread: number;
  twist: number;
  pace: number;
  from: Color;
  to: Color;
  depth: number;
}

export function ribbons(stage: Stage): Plane[] {
  const { palette, width, height } = stage;
  const random = stage.random.fork('ribbons');
  const area = field(stage);
  const breadth = Math.min(width, height);
  const dark = palette.sky[0].l < 0.45 || palette.night;
  const colors: [Color, ...Color[]] = [
    palette.accent,
    palette.accent_2,
    palette.sky[1],
    palette.sky[2],
    saturate(palette.accent, 0.9),
  ];
  const count = random.int(5, 7);
  const bundles: Ribbon[] = Array.from({ length: count }, (_, index) => ({
    phase: random.range(0, 7),
    bend: random.range(0.7, 1.5),
    base: breadth * (0.16 + (0.68 * (index + random.range(0.2, 0.8))) / count),
    spread: breadth * random.range(0.1, 0.27),
    twist: random.range(1.1, 2.6),
    pace: random.range(0.25, 0.5),
    from: random.pick(colors),
    to: random.pick(colors),
    depth: 0.15 + (0.8 * index) / count,
  }));
  const ground: Plane = {
    depth: 0,
    paint(ctx) {
      const pools = random.fork('pools');
      const [top, bottom] = dark
        ? [palette.sky[0], mixColors(palette.sky[0], palette.sky[1], 0.55)]
        : [palette.paper, mixColors(palette.paper, palette.sky[1], 0.45)];
      ctx.fillStyle = vertical(ctx, 0, height, [
        [0, top],
        [1, bottom],
      ]);
      ctx.fillRect(area.x, area.y, area.width, area.height);
      ctx.globalCompositeOperation = dark ? 'screen' : 'soft-light';
      for (let pool = 0; pool < 4; pool++) {
        const reach = Math.max(width, height) * pools.range(0.35, 0.6);
        glow(ctx, pools.range(0, width), pools.range(0, height), reach, pools.pick(colors), dark ? 0.3 : 0.6);
      }
    },
  };
  const sheets = bundles.map((bundle) => ribbonPlane(stage, bundle, dark));
  return stage.cutout ? sheets : [ground, ...sheets];
}

const THREADS = 256;

function weave(ribbon: Ribbon, clock: number): Float32Array {
  const table = new Float32Array(THREADS * 4);
  for (let index = 0; index < THREADS; index++) {
    const side = (index / (THREADS - 1)) * 2 - 1;
    const fold = 0.5 + 0.5 * Math.sin(side * 4.2 + clock * 2 + ribbon.phase);
    const thread = 0.5 + 0.5 * Math.sin(index * 1.37);
    const tone = lighten(
      mixColors(ribbon.from, ribbon.to, (side + 1) / 2),
      (fold - 0.5) * 0.16 + (thread - 0.5) * 0.035,
    );
    table.set([...toRgb(tone), fold], index * 4);
  }
  return table;
}

/** Fills a ribbon column by column (row by row in portrait) as pixels: far faster than stroking each thread. */
function ribbonPlane(stage: Stage, ribbon: Ribbon, dark: boolean): Plane {
  const upright = stage.height > stage.width * 1.25;
  const [length, breadth] = upright ? [stage.height, stage.width] : [stage.width, stage.height];
  const unit = Math.min(breadth, length);
  const light = toRgb(stage.palette.light);
  const scale = Math.min(stage.scale, 1.5) * (stage.bleed > 0 ? 0.75 : 1);
  const long_px = Math.ceil((length + 2 * stage.bleed) * scale);
  const wide_px = Math.ceil((breadth + 2 * stage.bleed) * scale);
  const strength = dark ? 0.72 : 0.78;
  // The ribbon never leaves this strip, so its pixels are reused in every frame.
  const farthest = unit * 0.25 + ribbon.spread + 2;
  const origin = Math.max(0, Math.floor((ribbon.base - farthest + stage.bleed) * scale));
  const rows = Math.max(1, Math.min(wide_px, Math.ceil((ribbon.base + farthest + stage.bleed) * scale)) - origin);
  const spans = new Float32Array(long_px * 3);
  const { canvas, ctx: sheet } = upright ? bitmap(rows, long_px) : bitmap(long_px, rows);
  const image = sheet.createImageData(canvas.width, canvas.height);
  const shift = origin / scale - stage.bleed;
  const [left, top] = upright ? [shift, -stage.bleed] : [-stage.bleed, shift];
  return {
    depth: ribbon.depth,
    live: true,
    paint(ctx, time_s) {
      const clock = time_s * ribbon.pace + ribbon.phase;
      for (let along = 0; along < long_px; along++) {
        const u = (along / scale - stage.bleed) / unit;
        const slow = 0.17 * Math.sin(u * 3.1 * ribbon.bend + clock);
        const center = ribbon.base + unit * (slow + 0.08 * Math.sin(u * 6.7 * ribbon.bend - clock * 1.4));
        const turn = Math.cos(u * 2.6 * ribbon.twist + clock * 0.9);
        const half = ribbon.spread * turn * (0.72 + 0.28 * Math.sin(u * 5 + clock));
        spans[along * 3] = (center - Math.abs(half) + stage.bleed) * scale;
        spans[along * 3 + 1] = (center + Math.abs(half) + stage.bleed) * scale;
        spans[along * 3 + 2] = half < 0 ? -turn - 2 : turn;
      }
      const table = weave(ribbon, clock);
      fillSheet(image.data, { spans, table, long_px, origin, rows, upright, scale, clock, light, strength });
      sheet.putImageData(image, 0, 0);
      ctx.drawImage(canvas, left, top, canvas.width / scale, canvas.height / scale);
    },
  };
}

interface Sheet {
  /** Per step: first and last pixel across, and the turn of the ribbon (below -1: its back is visible). */
  spans: Float32Array;
  table: Float32Array;
  long_px: number;
  origin: number;
  rows: number;
  upright: boolean;
  scale: number;
  clock: number;
  light: readonly [number, number, number];
  strength: number;
}

function fillSheet(data: Uint8ClampedArray, sheet: Sheet): void {
  const { spans, table, long_px, origin, rows, upright, scale, clock, light, strength } = sheet;
  data.fill(0);
  const [step_along, step_across] = upright ? [rows * 4, 4] : [4, long_px * 4];
  const [red, green, blue] = light;
  for (let along = 0; along < long_px; along++) {
    const from = spans[along * 3] ?? 0;
    const to = spans[along * 3 + 1] ?? 0;
    const turned = spans[along * 3 + 2] ?? 0;
    const behind = turned < -1;
    const edge_on = 1 - Math.abs(behind ? turned + 2 : turned);
    const shine = edge_on * edge_on * 0.7;
    const ripple = along / scale / 60 + clock;
    const breadth = Math.max(1, to - from);
    const last = Math.min(origin + rows - 1, Math.ceil(to));
    for (let across = Math.max(origin, Math.floor(from)); across <= last; across++) {
      const cover = Math.min(1, across + 1 - from, to - across);
      if (cover <= 0) continue;
      const t = Math.min(1, Math.max(0, (across + 0.5 - from) / breadth));
      const rim = 4 * t * (1 - t);
      const waved = t + 0.05 * Math.sin(t * 3 + ripple) * rim;
      const thread = (((behind ? 1 - waved : waved) * (THREADS - 1)) & 255) * 4;
      const fold = table[thread + 3] ?? 0;
      const glint = shine * fold + (fold > 0.9 ? (fold - 0.9) * 2.2 : 0);
      const index = along * step_along + (across - origin) * step_across;
      const r = table[thread] ?? 0;
      const g = table[thread + 1] ?? 0;
      const b = table[thread + 2] ?? 0;
      data[index] = r + (red - r) * glint;
      data[index + 1] = g + (green - g) * glint;
      data[index + 2] = b + (blue - b) * glint;
      data[index + 3] = 255 * cover * strength * (0.35 + 0.5 * fold + 0.3 * (1 - rim) + shine * 0.4);
    }
  }
}
