import type { ProbedStream } from '#server/media/ffprobe.ts';
import { parseRatio } from '#server/media/geometry.ts';

export interface FrameRate {
  /** In ffmpeg's syntax, for example `30000/1001`. */
  text: string;
  per_second: number;
}

const STANDARD: readonly FrameRate[] =
  '1 2 5 8 10 12 12.5 15 20 24000/1001 24 25 30000/1001 30 48 50 60000/1001 60 90 100 120000/1001 120'
    .split(' ')
    .map((text) => ({ text, per_second: parseRatio(text) ?? 1 }));
const HIGHEST = STANDARD.at(-1) ?? { text: '120', per_second: 120 };

const isNear = (a: number, b: number, tolerance: number): boolean => Math.abs(a / b - 1) <= tolerance;

/** Chooses the frame rate to work at: the source's own if constant, else the standard rate that its frames fit. */
export function workingRate(stream: ProbedStream): FrameRate {
  const base = parseRatio(stream.r_frame_rate);
  const average = parseRatio(stream.avg_frame_rate) ?? base ?? 30;
  if (base !== null && isNear(average, base, 0.001) && base <= HIGHEST.per_second) {
    return closest(base, 0.0004) ?? { text: stream.r_frame_rate ?? String(base), per_second: base };
  }
  // A constant rate with dropped frames: the declared rate is right, the average is lower.
  if (base !== null && average <= base && base <= 2 * average) {
    const steady = closest(base, 0.0004);
    if (steady) return steady;
  }
  return closest(average, 0.02) ?? STANDARD.find(({ per_second }) => per_second >= average) ?? HIGHEST;
}

function closest(per_second: number, tolerance: number): FrameRate | undefined {
  return STANDARD.filter((rate) => isNear(per_second, rate.per_second, tolerance)).toSorted(
    (a, b) => Math.abs(a.per_second - per_second) - Math.abs(b.per_second - per_second),
  )[0];
}
