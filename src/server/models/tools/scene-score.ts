/** Frames are compared at this size: enough to detect a cut, and fast. */
export const SCORE_WIDTH = 128;
export const SCORE_HEIGHT = 72;
const PIXELS = SCORE_WIDTH * SCORE_HEIGHT;
export const FRAME_BYTES = PIXELS * 3;

/** A flash ends when the picture before it returns within this many frames. */
export const FLASH_FRAMES = 3;

export interface SceneScores {
  /** Difference of each frame from the previous one, 0 to 255; 0 for the first. */
  steps: readonly number[];
  /** For frames above the threshold: their difference from 2, 3 and 4 frames before. */
  jumps: ReadonlyMap<number, readonly number[]>;
}

export const differenceFromBefore = ({ jumps }: SceneScores, at: number, since: number): number =>
  jumps.get(at)?.[at - since - 1] ?? Number.POSITIVE_INFINITY;

/**
 * Scores by the mean difference of hue (0–179), saturation and value (0–255), as established content detectors do.
 * @param threshold frames with at least this difference are also compared with earlier frames
 */
export function createSceneScorer(threshold: number): { add(rgb: Uint8Array): void; scores: SceneScores } {
  const steps: number[] = [];
  const jumps = new Map<number, readonly number[]>();
  const recent: Uint8Array[] = [];
  return {
    scores: { steps, jumps },
    add(rgb) {
      const frame = toHsv(rgb);
      const [last] = recent;
      const step = last ? difference(frame, last) : 0;
      if (step >= threshold)
        jumps.set(
          steps.length,
          recent.slice(1).map((earlier) => difference(frame, earlier)),
        );
      steps.push(step);
      recent.unshift(frame);
      if (recent.length > FLASH_FRAMES + 1) recent.pop();
    },
  };
}

function difference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < FRAME_BYTES; at += 1) sum += Math.abs((a[at] ?? 0) - (b[at] ?? 0));
  return sum / FRAME_BYTES;
}

function toHsv(rgb: Uint8Array): Uint8Array {
  const hsv = new Uint8Array(FRAME_BYTES);
  for (let at = 0; at < FRAME_BYTES; at += 3) {
    const red = rgb[at] ?? 0;
    const green = rgb[at + 1] ?? 0;
    const blue = rgb[at + 2] ?? 0;
    const value = Math.max(red, green, blue);
    const range = value - Math.min(red, green, blue);
    hsv[at] = range === 0 ? 0 : hue(red, green, blue, value, range);
    hsv[at + 1] = value === 0 ? 0 : (255 * range) / value + 0.5;
    hsv[at + 2] = value;
  }
  return hsv;
}

/** In steps of 2 degrees, 0 to 179. */
function hue(red: number, green: number, blue: number, value: number, range: number): number {
  let sixth = 4 + (red - green) / range;
  if (value === red) sixth = (green - blue) / range;
  else if (value === green) sixth = 2 + (blue - red) / range;
  return Math.round((sixth < 0 ? sixth + 6 : sixth) * 30) % 180;
}
