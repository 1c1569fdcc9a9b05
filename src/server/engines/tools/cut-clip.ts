import type { MediaTools } from '#server/media/media-tools.ts';
import { runFfmpeg } from '#server/media/ffmpeg.ts';
import { flags } from '#server/media/flags.ts';
import { toneMapFilters } from '#server/media/tone-map.ts';
import {
  AUDIO_CODEC_FLAGS,
  MP4_FLAGS,
  formatFfmpegSeconds,
  STEADY_AUDIO_FILTER,
  VIDEO_CODEC_FLAGS,
} from './ffmpeg-encoding.ts';
import type { VideoSource } from './video-source.ts';

export interface FrameRange {
  /** On the source's frame grid. */
  first_frame: number;
  frame_count: number;
}

/**
 * Encodes a part of a video to a new MP4, exact to the frame. Stream copy would cut at key frames, seconds off.
 * @throws {MediaError}; the signal's reason when aborted
 */
export async function cutClip(
  tools: MediaTools,
  source: VideoSource,
  part: FrameRange,
  output: { file: string; signal: AbortSignal; onProgress(fraction: number): void },
): Promise<void> {
  const { rate, width, height, stream, audio } = source;
  const total_seconds = part.frame_count / rate.per_second;
  const picture = [
    `fps=${rate.text}:start_time=0`,
    ...toneMapFilters(tools, source),
    `scale=${width}:${height}`,
    'setsar=1',
  ].join(',');
  const sound = audio ? flags`-map 0:${audio.index} -af ${STEADY_AUDIO_FILTER} ${AUDIO_CODEC_FLAGS}` : [];
  await runFfmpeg(tools, {
    // The filters drop what lies before the start; ffmpeg's own way of doing it is a frame off where rates vary.
    args: flags`-noaccurate_seek -ss ${formatFfmpegSeconds(source.grid_seconds + part.first_frame / rate.per_second)} -i file:${source.file}
      -map 0:${stream.index} -vf ${picture} -frames:v ${part.frame_count} ${VIDEO_CODEC_FLAGS} ${sound}
      -t ${formatFfmpegSeconds(total_seconds)} ${MP4_FLAGS} file:${output.file}`,
    total_seconds,
    signal: output.signal,
    onProgress: output.onProgress,
  });
}
