import type { MediaTools } from '../../media/media-tools.ts';
import { runFfmpeg } from '../../media/ffmpeg.ts';
import { flags } from '../../media/flags.ts';
import { toneMap } from '../../media/tone-map.ts';
import { AUDIO_CODEC, MP4_FILE, seconds, STEADY_SOUND, VIDEO_CODEC } from './encode.ts';
import type { VideoSource } from './source.ts';

export interface Part {
  /** On the source's frame grid. */
  first_frame: number;
  frame_count: number;
}

/**
 * Encodes a part of a video to a new MP4, exact to the frame. Stream copy would cut at key frames, seconds off.
 * @throws {MediaError}; the signal's reason when aborted
 */
export async function cutPart(
  tools: MediaTools,
  source: VideoSource,
  part: Part,
  output: { file: string; signal: AbortSignal; onProgress(fraction: number): void },
): Promise<void> {
  const { rate, width, height, stream, audio } = source;
  const total_seconds = part.frame_count / rate.per_second;
  const picture = [
    `fps=${rate.text}:start_time=0`,
    ...toneMap(tools, source),
    `scale=${width}:${height}`,
    'setsar=1',
  ].join(',');
  const sound = audio ? flags`-map 0:${audio.index} -af ${STEADY_SOUND} ${AUDIO_CODEC}` : [];
  await runFfmpeg(tools, {
    // The filters drop what lies before the start; ffmpeg's own way of doing it is a frame off where rates vary.
    args: flags`-noaccurate_seek -ss ${seconds(source.grid_seconds + part.first_frame / rate.per_second)} -i file:${source.file}
      -map 0:${stream.index} -vf ${picture} -frames:v ${part.frame_count} ${VIDEO_CODEC} ${sound}
      -t ${seconds(total_seconds)} ${MP4_FILE} file:${output.file}`,
    total_seconds,
    signal: output.signal,
    onProgress: output.onProgress,
  });
}
