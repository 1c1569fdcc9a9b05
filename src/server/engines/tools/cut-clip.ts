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
 * Encodes a frame-exact part of a video to MP4. Stream copy would cut at key frames, seconds off.
 * @throws {MediaError}; the signal's reason when aborted
 */
export async function cutClip(
  tools: MediaTools,
  source: VideoSource,
  range: FrameRange,
  output: { file: string; signal: AbortSignal; onProgress(fraction: number): void },
): Promise<void> {
  const { rate, width, height, stream, audio } = source;
  const total_seconds = range.frame_count / rate.per_second;
  const video_filters = [
    `fps=${rate.text}:start_time=0`,
    ...toneMapFilters(tools, source),
    `scale=${width}:${height}`,
    'setsar=1',
  ].join(',');
  const audio_flags = audio ? flags`-map 0:${audio.index} -af ${STEADY_AUDIO_FILTER} ${AUDIO_CODEC_FLAGS}` : [];
  await runFfmpeg(tools, {
    // The filters drop frames before the start; accurate seeking is a frame off at variable frame rates.
    args: flags`-noaccurate_seek -ss ${formatFfmpegSeconds(source.grid_seconds + range.first_frame / rate.per_second)} -i file:${source.file}
      -map 0:${stream.index} -vf ${video_filters} -frames:v ${range.frame_count} ${VIDEO_CODEC_FLAGS} ${audio_flags}
      -t ${formatFfmpegSeconds(total_seconds)} ${MP4_FLAGS} file:${output.file}`,
    total_seconds,
    signal: output.signal,
    onProgress: output.onProgress,
  });
}
