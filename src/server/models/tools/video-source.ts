import { type ProbedContainer, type ProbedStream, readPackets } from '#server/platform/media/ffprobe.ts';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { hasKnownCodec, isMovingPicture, parseRatio } from '#server/platform/media/probe-streams.ts';
import type { EngineJob, ResolvedReference } from '#server/models/engine/engine.ts';
import { invalidInputError } from './tool.ts';

export interface VideoSource {
  file: string;
  stream: ProbedStream;
  audio: ProbedStream | undefined;
  /** When its sound ends, counted from frame 0; null without sound. */
  audioEndSeconds: number | null;
  /** Tracks that no tool keeps, for people. */
  leftOut: readonly string[];
  isHdr: boolean;
  hasAlpha: boolean;
  width: number;
  height: number;
  rate: FrameRate;
  /** Its frames do not have that rate. */
  isVariable: boolean;
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

/** @throws {EngineError} when the reference is not a video; {MediaError} when it can't be read */
export async function readVideo(tools: MediaTools, job: EngineJob, path: string): Promise<VideoSource> {
  const { file, media } = videoAt(job, path);
  const { width, height, duration_seconds, container } = media;
  const stream = container?.streams.find(isMovingPicture);
  if (!container || !stream || !width || !height || !duration_seconds)
    throw invalidInputError('The file contains no video.');
  const { streams, start_seconds } = container;
  const rate = workingRate(stream);
  const audio = streams.find(isSound);
  const leadSeconds = Math.max(0, (stream.start_time ?? start_seconds) - start_seconds);
  const leadFrames = Math.floor(leadSeconds * rate.per_second + ON_GRID_FRAMES);
  const frameCount = leadFrames + Math.max(1, Math.round(duration_seconds * rate.per_second));
  const gridSeconds = Math.max(0, leadSeconds - leadFrames / rate.per_second);
  const audioEnd = audio ? await readEnd(tools, file, audio, job.signal) : null;
  return {
    file,
    stream,
    audio,
    audioEndSeconds: audioEnd === null ? null : audioEnd - start_seconds - gridSeconds,
    leftOut: listLeftOut(container),
    isHdr: media.isHdr === true,
    hasAlpha: stream.tags?.alpha_mode === '1' || /^(?:yuva|rgba|bgra|argb|abgr|gbrap|ya)/.test(stream.pix_fmt ?? ''),
    width: roundToEven(width),
    height: roundToEven(height),
    rate,
    isVariable: isVariable(stream, rate),
    grid_seconds: gridSeconds,
    frame_count: frameCount,
    duration_seconds: frameCount / rate.per_second,
  };
}

export const isSound = (stream: ProbedStream): boolean => stream.codec_type === 'audio' && hasKnownCodec(stream);

/** Heads of recordings in fragments, and of Matroska, do not say when a track ends. */
async function readEnd(tools: MediaTools, file: string, stream: ProbedStream, signal: AbortSignal): Promise<number> {
  let end = 0;
  await readPackets(tools, file, { stream: stream.index, signal }, (packet) => {
    if (packet.ptsSeconds !== null) end = Math.max(end, packet.ptsSeconds + packet.duration_seconds);
  });
  return end;
}

/** What a container has besides its first picture and its first sound. */
function listLeftOut({ streams, hasChapters }: ProbedContainer): string[] {
  const count = (matches: (stream: ProbedStream) => boolean): number => streams.filter(matches).length;
  const further = (name: string, tracks: number): string | null =>
    tracks > 1 ? `${tracks === 2 ? 'a second' : `${tracks - 1} further`} ${name} track${tracks > 2 ? 's' : ''}` : null;
  return [
    further('picture', count(isMovingPicture)),
    further('sound', count(isSound)),
    count(({ codec_type }) => codec_type === 'subtitle') > 0 ? 'subtitles' : null,
    hasChapters ? 'chapters' : null,
    count(({ codec_type }) => codec_type === 'data' || codec_type === 'attachment') > 0 ? 'other data' : null,
  ].filter((name) => name !== null);
}

/** Files store rounded times: this close to the next frame counts as on it. */
const ON_GRID_FRAMES = 0.05;

const roundToEven = (pixels: number): number => Math.max(2, pixels - (pixels % 2));

export const displaySeconds = (durationSeconds: number): number => Math.round(durationSeconds * 100) / 100;

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

/** The average of a recording in fragments is a little off. */
const AVERAGE_TOLERANCE = 0.02;

function isVariable({ r_frame_rate, avg_frame_rate }: ProbedStream, { per_second }: FrameRate): boolean {
  const average = parseRatio(avg_frame_rate) ?? per_second;
  const base = parseRatio(r_frame_rate) ?? per_second;
  return !isNear(average, per_second, AVERAGE_TOLERANCE) || !isNear(base, per_second, AVERAGE_TOLERANCE);
}

function closest(perSecond: number, tolerance: number): FrameRate | undefined {
  return STANDARD.filter((rate) => isNear(perSecond, rate.per_second, tolerance)).toSorted(
    (a, b) => Math.abs(a.per_second - perSecond) - Math.abs(b.per_second - perSecond),
  )[0];
}
