import type { Pixels } from '../render/protocol.ts';

/** Squared distance to the color of the edge up to which a pixel is background. */
const NEAR = 34 ** 2 * 3;
const SOFT = 62 ** 2 * 3;

export type BackgroundRemoval = 'kept' | 'keyed' | 'masked';

/** Removes a plain background that touches the edges, else all but an oval, because finding it would need a model. */
export function removeBackground(pixels: Pixels): BackgroundRemoval {
  if (hasTransparency(pixels)) return 'kept';
  const ground = edgeColor(pixels);
  if (ground) flood(pixels, ground);
  else maskOval(pixels);
  return ground ? 'keyed' : 'masked';
}

function hasTransparency({ rgba }: Pixels): boolean {
  let clear = 0;
  for (let at = 3; at < rgba.length; at += 4) if ((rgba[at] ?? 255) < 250) clear += 1;
  return clear > rgba.length / 4 / 500;
}

type Rgb = readonly [number, number, number];

const distance = (rgba: Uint8Array, at: number, [r, g, b]: Rgb): number =>
  ((rgba[at] ?? 0) - r) ** 2 + ((rgba[at + 1] ?? 0) - g) ** 2 + ((rgba[at + 2] ?? 0) - b) ** 2;

function* edge({ width_px, height_px }: Pixels): Generator<number> {
  for (let x = 0; x < width_px; x++) yield* [x, (height_px - 1) * width_px + x];
  for (let y = 1; y < height_px - 1; y++) yield* [y * width_px, y * width_px + width_px - 1];
}

function edgeColor(pixels: Pixels): Rgb | null {
  const sum: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (const index of edge(pixels)) {
    for (const channel of [0, 1, 2] as const) sum[channel] += pixels.rgba[index * 4 + channel] ?? 0;
    count += 1;
  }
  const mean: Rgb = [sum[0] / count, sum[1] / count, sum[2] / count];
  let near = 0;
  for (const index of edge(pixels)) if (distance(pixels.rgba, index * 4, mean) < NEAR) near += 1;
  return near > count * 0.86 ? mean : null;
}

function flood(pixels: Pixels, ground: Rgb): void {
  const { rgba, width_px, height_px } = pixels;
  const queue = new Int32Array(width_px * height_px);
  const seen = new Uint8Array(width_px * height_px);
  let filled = 0;
  const visit = (index: number): void => {
    if (seen[index] === 1) return;
    const far = distance(rgba, index * 4, ground);
    if (far >= SOFT) return;
    seen[index] = 1;
    rgba[index * 4 + 3] = far < NEAR ? 0 : Math.round((255 * (far - NEAR)) / (SOFT - NEAR));
    if (far < NEAR) queue[filled++] = index;
  };
  for (const index of edge(pixels)) visit(index);
  for (let next = 0; next < filled; next++) {
    const index = queue[next] ?? 0;
    const x = index % width_px;
    if (x > 0) visit(index - 1);
    if (x < width_px - 1) visit(index + 1);
    if (index >= width_px) visit(index - width_px);
    if (index < width_px * (height_px - 1)) visit(index + width_px);
  }
}

function maskOval({ rgba, width_px, height_px }: Pixels): void {
  for (let y = 0; y < height_px; y++) {
    for (let x = 0; x < width_px; x++) {
      const from_center = Math.hypot((x + 0.5) / width_px - 0.5, (y + 0.5) / height_px - 0.5) * 2;
      const inside = Math.min(1, Math.max(0, (0.96 - from_center) / 0.04));
      const at = (y * width_px + x) * 4 + 3;
      rgba[at] = Math.round((rgba[at] ?? 255) * inside);
    }
  }
}
