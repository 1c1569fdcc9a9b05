import path from 'node:path';
import { runFfmpeg } from '#server/platform/media/ffmpeg.ts';
import { flags } from '#server/platform/media/flags.ts';
import { type MediaTools, toneMapFilters } from '#server/platform/media/media-tools.ts';
import {
  AUDIO_CODEC_FLAGS,
  formatFfmpegSeconds,
  MP4_FLAGS,
  STEADY_AUDIO_FILTER,
  VIDEO_CODEC_FLAGS,
} from './ffmpeg-encoding.ts';
import { changesOf, fitChange, pictureChanges } from './changes.ts';
import { invalidInputError, type Tool } from './tool.ts';
import { displaySeconds, readVideo, type VideoSource } from './video-source.ts';

/** Frame-exact; an end past the video is clamped. Spec: Task contracts: video.trim. Decision: Tools */
export const trim: Tool<'video.trim'> = async (tools, job) => {
  const { start_seconds, end_seconds } = job.input;
  if (end_seconds <= start_seconds) throw invalidInputError('The end must be after the start.');
  const source = await readVideo(tools, job, 'video');
  const { per_second } = source.rate;
  const firstFrame = Math.round(start_seconds * per_second);
  if (start_seconds >= source.duration_seconds || firstFrame >= source.frame_count) {
    throw invalidInputError(
      `The start is at or past the end of the video, which is ${displaySeconds(source.duration_seconds)} s long.`,
    );
  }
  const requestedEnd = Math.round(end_seconds * per_second);
  const endFrame = Math.min(Math.max(requestedEnd, firstFrame + 1), source.frame_count);
  const range = { first_frame: firstFrame, frame_count: endFrame - firstFrame };
  const file = path.join(job.workDir, 'trimmed.mp4');
  await cutClip(tools, source, range, { file, signal: job.signal, onProgress: job.onProgress });
  return {
    files: [file],
    data: {
      duration_seconds: roundSeconds(range.frame_count / per_second),
      start_seconds: roundSeconds(firstFrame / per_second),
      end_seconds: roundSeconds(endFrame / per_second),
      end_clamped: requestedEnd > source.frame_count,
      ...changesOf(clipChanges(source, range)),
    },
  };
};

const roundSeconds = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;

export interface FrameRange {
  /** On the source's frame grid. */
  first_frame: number;
  frame_count: number;
}

/** Encodes, because stream copy would cut seconds off. @throws {MediaError}; the signal's reason when aborted */
export async function cutClip(
  tools: MediaTools,
  source: VideoSource,
  range: FrameRange,
  output: { file: string; signal: AbortSignal; onProgress(fraction: number): void },
): Promise<void> {
  const { rate, audio } = source;
  const [startSeconds, total_seconds] = [range.first_frame / rate.per_second, range.frame_count / rate.per_second];
  const chains = [
    videoChain(tools, source, range),
    ...(audio ? [audioChain(source, startSeconds, total_seconds)] : []),
  ];
  const audioFlags = audio ? flags`-map [a] ${AUDIO_CODEC_FLAGS}` : [];
  await runFfmpeg(tools, {
    // The filters drop frames before the start; accurate seeking is a frame off at variable frame rates.
    args: flags`-noaccurate_seek -ss ${formatFfmpegSeconds(source.grid_seconds + startSeconds)} -i file:${source.file}
      -filter_complex ${chains.join(';')} -map [v] ${VIDEO_CODEC_FLAGS} ${audioFlags}
      -t ${formatFfmpegSeconds(total_seconds)} ${MP4_FLAGS} file:${output.file}`,
    total_seconds,
    signal: output.signal,
    onProgress: output.onProgress,
  });
}

/** `-frames:v` would end the sound too, as soon as the last frame is encoded. */
function videoChain(tools: MediaTools, source: VideoSource, { frame_count }: FrameRange): string {
  const filters = [
    `fps=${source.rate.text}:start_time=0`,
    'tpad=stop_mode=clone:stop=-1',
    `trim=end_frame=${frame_count}`,
    ...toneMapFilters(tools, source),
    `scale=${source.width}:${source.height}`,
    'setsar=1',
  ];
  return `[0:${source.stream.index}]${filters.join(',')}[v]`;
}

/** Silence where there is no sound: a filter without any input would never end. */
function audioChain({ audio, audioEndSeconds }: VideoSource, startSeconds: number, length: number): string {
  const cut = `atrim=duration=${formatFfmpegSeconds(length)}[a]`;
  const hasSound = audioEndSeconds !== null && audioEndSeconds > startSeconds + MIN_SOUND_SECONDS;
  return hasSound
    ? `[0:${audio?.index ?? 'a:0'}]${STEADY_AUDIO_FILTER},apad,${cut}`
    : `anullsrc=r=48000:cl=stereo,${cut}`;
}

/** A packet. */
const MIN_SOUND_SECONDS = 0.03;

/** What a clip of a source does not show or play. */
export function clipChanges(source: VideoSource, { first_frame, frame_count }: FrameRange): (string | null)[] {
  const { audioEndSeconds, rate } = source;
  const end = (first_frame + frame_count) / rate.per_second;
  // Sound after the end of a clip was cut off on purpose, unless the picture ends there.
  const isLast = first_frame + frame_count >= source.frame_count;
  const heard = audioEndSeconds === null || isLast ? audioEndSeconds : Math.min(audioEndSeconds, end);
  return [...pictureChanges(source), fitChange('The sound', heard, end)];
}
