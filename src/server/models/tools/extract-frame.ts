import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { InputOf } from '#contract/task-input.ts';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { flags } from '#server/platform/media/flags.ts';
import { type MediaTools, toneMapFilters } from '#server/platform/media/media-tools.ts';
import type { EngineJob } from '#server/models/engine/engine.ts';
import { formatFfmpegSeconds } from './ffmpeg-encoding.ts';
import { displaySeconds, videoAt } from './video-source.ts';
import { changesOf } from './changes.ts';
import { invalidInputError, type Tool } from './tool.ts';

const ENCODERS = {
  jpg: flags('-c:v mjpeg -q:v 2 -pix_fmt yuvj420p'),
  png: flags('-c:v png -pix_fmt rgb24'),
  webp: flags('-c:v libwebp -quality 92 -pix_fmt yuv420p'),
} as const satisfies Record<InputOf<'video.extract_frame'>['format'], readonly string[]>;

/** Extracts the displayed frame at a time, at its display size. Spec: Task contracts: video.extract_frame */
export const extractFrame: Tool<'video.extract_frame'> = async (tools, job) => {
  const { timestamp_seconds, format } = job.input;
  const { file, media } = videoAt(job, 'video');
  const { width, height, duration_seconds, fps } = media;
  if (!width || !height || !duration_seconds) throw invalidInputError('The file contains no video.');
  if (timestamp_seconds > duration_seconds) {
    throw invalidInputError(
      `The time is past the end of the video, which is ${displaySeconds(duration_seconds)} s long.`,
    );
  }
  // The end of the video shows its last frame.
  const atSeconds = Math.max(0, Math.min(timestamp_seconds, duration_seconds - 0.5 / (fps ?? 1)));
  const output = path.join(job.workDir, `frame.${format}`);
  const filters = [...toneMapFilters(tools, media), `scale=${width}:${height}`, 'setsar=1'];
  await encodeFrame(tools, job, { file, at_seconds: atSeconds, output, filters, encoder: ENCODERS[format] });
  const changes = changesOf([media.isHdr ? 'The high dynamic range became standard range.' : null]);
  return { files: [output], data: { width, height, ...changes } };
};

interface FrameRequest {
  file: string;
  at_seconds: number;
  output: string;
  filters: readonly string[];
  encoder: readonly string[];
}

/** Frame times are rounded to this; of two frames within one step the later is displayed. */
const STEPS_PER_SECOND = 1_000;
/** How far before the requested time the last frame is searched when there is none at that time. */
const LAST_FRAME_WITHIN_SECONDS = 10;

async function encodeFrame(tools: MediaTools, job: EngineJob, request: FrameRequest): Promise<void> {
  const { file, at_seconds, output, filters, encoder } = request;
  const writeFrame = (
    fromSeconds: number,
    preFilters: readonly string[],
    frameFlags: readonly string[],
  ): Promise<void> =>
    runFfmpeg(tools, {
      args: flags`-noaccurate_seek -ss ${formatFfmpegSeconds(fromSeconds)} -i file:${file} -map 0:V:0
        -vf ${[...preFilters, ...filters].join(',')} ${frameFlags} ${encoder} -map_metadata -1 -f image2 -update 1 file:${output}`,
      signal: job.signal,
    });
  // Seeking returns the first frame at or after a time; this returns the frame displayed at that time.
  await writeFrame(at_seconds, [`fps=${STEPS_PER_SECOND}:start_time=0`, 'trim=end_frame=1'], flags('-frames:v 1'));
  if (await isWritten(output)) return;
  await writeFrame(Math.max(0, at_seconds - LAST_FRAME_WITHIN_SECONDS), [], flags('-vsync passthrough'));
  if (!(await isWritten(output))) throw invalidInputError('The video has no frame at this time.');
}

const isWritten = async (file: string): Promise<boolean> => {
  const stats = await stat(file).catch(() => undefined);
  return stats !== undefined && stats.size > 0;
};
