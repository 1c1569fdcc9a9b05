import { readContainer, type ProbedStream } from '#server/media/ffprobe.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import { isMovingPicture } from '#server/media/probe-streams.ts';
import type { EngineJob, ResolvedReference } from '../engine.ts';
import { workingRate, type FrameRate } from './frame-rate.ts';
import { invalidInputError } from './tool.ts';

/** A video of the input with what a tool has to know of it. */
export interface VideoSource {
  file: string;
  stream: ProbedStream;
  /** The first sound track, or undefined. */
  audio: ProbedStream | undefined;
  is_hdr: boolean;
  /** As displayed, rounded down to even numbers, which video encoders need. */
  width: number;
  height: number;
  rate: FrameRate;
  /**
   * Where frame 0 of the grid lies in the file. Sound may begin a fraction of a frame before the picture; a grid that
   * ignored it would lie between the frames and miss some of them.
   */
  grid_seconds: number;
  /** Length in frames at `rate`, from the beginning of the grid; at least 1. */
  frame_count: number;
  /** The same in seconds. */
  duration_seconds: number;
}

/** The reference at a path of the input. @throws {EngineError} when there is none */
export function referenceAt(job: EngineJob, path: string): ResolvedReference {
  const reference = job.references.find((candidate) => candidate.path === path);
  if (!reference) throw invalidInputError(`The input has no media at ${path}.`);
  return reference;
}

/** A reference that must be a video. @throws {EngineError} when it is sound or a picture */
export function videoAt(job: EngineJob, path: string): ResolvedReference {
  const reference = referenceAt(job, path);
  if (reference.media.kind === 'image') throw invalidInputError('A picture was given where a video is needed.');
  if (reference.media.kind === 'audio') throw invalidInputError('The file has sound but no video in it.');
  return reference;
}

/**
 * Reads the video at a path of the input.
 * @throws {EngineError} when it is not a video; {MediaError} when it can't be read
 */
export async function readVideo(tools: MediaTools, job: EngineJob, path: string): Promise<VideoSource> {
  const { file, media } = videoAt(job, path);
  const { streams, start_seconds } = await readContainer(tools, file, job.signal);
  const stream = streams.find(isMovingPicture);
  const { width, height, duration_seconds } = media;
  if (!stream || !width || !height || !duration_seconds) throw invalidInputError('The file has no video in it.');
  const rate = workingRate(stream);
  const lead_seconds = Math.max(0, (stream.start_time ?? start_seconds) - start_seconds);
  const lead_frames = Math.floor(lead_seconds * rate.per_second + ON_GRID_FRAMES);
  const frame_count = lead_frames + Math.max(1, Math.round(duration_seconds * rate.per_second));
  return {
    file,
    stream,
    audio: streams.find(({ codec_type }) => codec_type === 'audio'),
    is_hdr: media.is_hdr === true,
    width: roundToEven(width),
    height: roundToEven(height),
    rate,
    grid_seconds: Math.max(0, lead_seconds - lead_frames / rate.per_second),
    frame_count,
    duration_seconds: frame_count / rate.per_second,
  };
}

/** Times are rounded in files: so close before the next frame counts as on it. */
const ON_GRID_FRAMES = 0.05;

const roundToEven = (pixels: number): number => Math.max(2, pixels - (pixels % 2));

/** A length in words for the person: two decimals at most. */
export const displaySeconds = (duration_seconds: number): number => Math.round(duration_seconds * 100) / 100;
