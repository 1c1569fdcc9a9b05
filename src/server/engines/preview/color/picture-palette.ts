import type { Brief } from '../brief/brief.ts';
import type { Pixels } from '../render/protocol.ts';
import { chroma, fromRgb, mixColors, type Color } from './color.ts';
import type { Palette } from './moods.ts';

const SAMPLES = 900;
const GROUPS = 6;

function mainColors(pictures: readonly Pixels[]): Color[] {
  const samples = pictures.flatMap((picture) => sample(picture, Math.ceil(SAMPLES / pictures.length)));
  if (samples.length === 0) return [];
  const sorted = samples.sort((a, b) => a.l - b.l);
  let centers = Array.from(
    { length: GROUPS },
    (_, index) => sorted[Math.floor(((index + 0.5) / GROUPS) * sorted.length)] ?? sorted[0],
  ).filter((color) => color !== undefined);
  for (let round = 0; round < 6; round++) {
    const groups = centers.map((): Color[] => []);
    for (const color of sorted) groups[nearest(color, centers)]?.push(color);
    centers = groups.map((group, index) => mean(group) ?? centers[index]).filter((color) => color !== undefined);
  }
  return centers.sort((a, b) => a.l - b.l);
}

function sample({ rgba, width_px, height_px }: Pixels, count: number): Color[] {
  const step = Math.max(1, Math.floor(Math.sqrt((width_px * height_px) / count)));
  const colors: Color[] = [];
  for (let y = 0; y < height_px; y += step) {
    for (let x = 0; x < width_px; x += step) {
      const at = (y * width_px + x) * 4;
      if ((rgba[at + 3] ?? 0) > 128) colors.push(fromRgb(rgba[at] ?? 0, rgba[at + 1] ?? 0, rgba[at + 2] ?? 0));
    }
  }
  return colors;
}

const distance = (p: Color, q: Color): number => (p.l - q.l) ** 2 + 2 * (p.a - q.a) ** 2 + 2 * (p.b - q.b) ** 2;

function nearest(color: Color, centers: readonly Color[]): number {
  let best = 0;
  centers.forEach((center, index) => {
    if (distance(color, center) < distance(color, centers[best] ?? center)) best = index;
  });
  return best;
}

const mean = (group: readonly Color[]): Color | undefined => {
  if (group.length === 0) return undefined;
  const sum = group.reduce((total, { l, a, b }) => ({ l: total.l + l, a: total.a + a, b: total.b + b }), {
    l: 0,
    a: 0,
    b: 0,
  });
  return { l: sum.l / group.length, a: sum.a / group.length, b: sum.b / group.length };
};

/** Shifts the palette toward the colors of the references; light and dark stay as they are. */
export function withPicturePalette(brief: Brief, pictures: readonly Pixels[]): Brief {
  const colors = mainColors(pictures);
  const [darkest, dark, mid, bright, brighter, lightest] = colors;
  if (!darkest || !dark || !mid || !bright || !brighter || !lightest) return brief;
  const vivid = colors.toSorted((a, b) => chroma(b) - chroma(a));
  const toward = (own: Color, other: Color): Color => ({
    ...mixColors(own, other, 0.7),
    l: own.l * 0.7 + other.l * 0.3,
  });
  const { palette } = brief;
  const drawn: Palette = {
    sky: [toward(palette.sky[0], mid), toward(palette.sky[1], bright), toward(palette.sky[2], brighter)],
    light: mixColors(palette.light, lightest, 0.4),
    far: toward(palette.far, bright),
    mid: toward(palette.mid, mid),
    near: toward(palette.near, dark),
    accent: mixColors(palette.accent, vivid[0] ?? mid, 0.85),
    accent_2: mixColors(palette.accent_2, vivid[1] ?? bright, 0.85),
    paper: toward(palette.paper, lightest),
    ink: toward(palette.ink, darkest),
    night: palette.night,
  };
  return { ...brief, palette: drawn };
}
