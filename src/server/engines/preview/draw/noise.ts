import { mix } from '../random.ts';

const fade = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);

/** A repeating grid of 256 × 256 random values; a lookup costs far less than a hash per point. */
const grid = Float32Array.from({ length: 65_536 }, (_, index) => mix(index) / 0x1_0000_0000);

export function valueNoise(x: number, y: number, seed: number): number {
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const u = fade(x - x0);
  const v = fade(y - y0);
  const shifted_x = x0 + Math.imul(seed, 31);
  const row = ((y0 + Math.imul(seed, 17)) & 255) << 8;
  const next_row = (row + 256) & 0xffff;
  const left = shifted_x & 255;
  const right = (shifted_x + 1) & 255;
  const top = grid[row | left] ?? 0;
  const bottom = grid[next_row | left] ?? 0;
  const upper = top + ((grid[row | right] ?? 0) - top) * u;
  const lower = bottom + ((grid[next_row | right] ?? 0) - bottom) * u;
  return upper + (lower - upper) * v;
}

export function fbm(x: number, y: number, seed: number, octaves: number): number {
  let sum = 0;
  let weight = 0.5;
  let total = 0;
  let scale = 1;
  for (let octave = 0; octave < octaves; octave++) {
    sum += weight * valueNoise(x * scale, y * scale, seed + octave * 1013);
    total += weight;
    weight *= 0.5;
    scale *= 2.03;
  }
  return sum / total;
}

export function ridged(x: number, y: number, seed: number, octaves: number): number {
  let sum = 0;
  let weight = 0.5;
  let total = 0;
  let scale = 1;
  for (let octave = 0; octave < octaves; octave++) {
    const crest = 1 - Math.abs(2 * valueNoise(x * scale, y * scale, seed + octave * 7919) - 1);
    sum += weight * crest * crest;
    total += weight;
    weight *= 0.5;
    scale *= 2.1;
  }
  return sum / total;
}

export const smoothstep = (from: number, to: number, value: number): number => {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
};
