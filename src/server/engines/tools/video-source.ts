import { readContainer, type ProbedStream } from '#server/media/ffprobe.ts';
import type { MediaTools } from '#server/media/media-tools.ts';
import { isMovingPicture } from '#server/media/probe-streams.ts';
import type { EngineJob, ResolvedReference } from '../engine.ts';
import { workingRate, type FrameRate } from './frame-rate.ts';
import { invalidInputError } from './tool.ts';

export interface VideoSource {
  file: string;
  stream: ProbedStream;
  audio: ProbedStream | undefined;
  is_hdr: boolean;
  width: number;
  height: number;
  rate: FrameRate;
  /**
   * Time of frame 0 in the file. Audio may start a fraction of a frame before the video; a grid that ignored this would
   * lie between frames and miss some.
   */
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
  const { streams, start_seconds } = await readContainer(tools, file, job.signal);
  const stream = streams.find(isMovingPicture);
  const { width, height, duration_seconds } = media;
  if (!stream || !width || !height || !duration_seconds) throw invalidInputError('The file contains no video.');
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

/** Files store rounded times: this close to the next frame counts as on it. */
const ON_GRID_FRAMES = 0.05;

const roundToEven = (pixels: number): number => Math.max(2, pixels - (pixels % 2));

export const displaySeconds = (duration_seconds: number): number => Math.round(duration_seconds * 100) / 100;
