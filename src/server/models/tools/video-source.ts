import type { ProbedStream } from '#server/platform/media/ffprobe.ts';
import { isMovingPicture, parseRatio } from '#server/platform/media/probe-streams.ts';
import type { EngineJob, ResolvedReference } from '#server/models/engine/engine.ts';
import { invalidInputError } from './tool.ts';

export interface VideoSource {
  file: string;
  stream: ProbedStream;
  audio: ProbedStream | undefined;
  isHdr: boolean;
  width: number;
  height: number;
  rate: FrameRate;
  /** Time of frame 0 in the file: audio may start earlier, and a grid from there would lie between frames. */
  grid_seconds: number;
  frame_count: number;
  duration_seconds: number;
}

/** @throws {EngineError} when the input has no reference at this path */
export function referenceAt(job: EngineJob, path: string): ResolvedReference {
  const reference = job.references.find((candidate) => candidate.path === path);
  if (!reference) throw invalidInputError(`The input has no media at ${path}.`);
  return reference;
}

/** @throws {EngineError} when the reference is audio or an image */
export function videoAt(job: EngineJob, path: string): ResolvedReference {
  const reference = referenceAt(job, path);
  if (reference.media.kind === 'image') throw invalidInputError('An image was used where a video is required.');
  if (reference.media.kind === 'audio') throw invalidInputError('The file contains audio but no video.');
  return reference;
}

/** @throws {EngineError} when the reference is not a video */
export function readVideo(job: EngineJob, path: string): VideoSource {
  const { file, media } = videoAt(job, path);
  const { streams = [], start_seconds = 0 } = media.container ?? {};
  const stream = streams.find(isMovingPicture);
  const { width, height, duration_seconds } = media;
  if (!stream || !width || !height || !duration_seconds) throw invalidInputError('The file contains no video.');
  const rate = workingRate(stream);
  const leadSeconds = Math.max(0, (stream.start_time ?? start_seconds) - start_seconds);
  const leadFrames = Math.floor(leadSeconds * rate.per_second + ON_GRID_FRAMES);
  const frame_count = leadFrames + Math.max(1, Math.round(duration_seconds * rate.per_second));
  return {
    file,
    stream,
    audio: streams.find(({ codec_type }) => codec_type === 'audio'),
    isHdr: media.isHdr === true,
    width: roundToEven(width),
    height: roundToEven(height),
    rate,
    grid_seconds: Math.max(0, leadSeconds - leadFrames / rate.per_second),
    frame_count,
    duration_seconds: frame_count / rate.per_second,
  };
}

/** Files store rounded times: this close to the next frame counts as on it. */
const ON_GRID_FRAMES = 0.05;

const roundToEven = (pixels: number): number => Math.max(2, pixels - (pixels % 2));

export const displaySeconds = (duration_seconds: number): number => Math.round(duration_seconds * 100) / 100;

export interface FrameRate {
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
function workingRate(stream: ProbedStream): FrameRate {
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
