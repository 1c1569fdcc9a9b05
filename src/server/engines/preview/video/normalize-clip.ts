import { runFfmpeg } from '#server/media/ffmpeg.ts';
import { flags } from '#server/media/flags.ts';
import type { MediaFileInfo } from '#server/media/probe-file.ts';
import { type MediaTools, toneMapFilters } from '#server/media/media-tools.ts';
import { formatFfmpegSeconds } from '../../tools/ffmpeg-encoding.ts';
import type { VideoSource } from '../../tools/video-source.ts';
import type { PixelSize } from '../sizes.ts';

/** For temporary files: fast, and as good as the source. */
export const SCRATCH_CODEC: readonly string[] = flags(
  '-c:v libx264 -preset ultrafast -crf 12 -pix_fmt yuv420p -g 30 -bf 0',
);

/** @param graph from `[in]` to `[out]`; `inputs` are its further inputs, the first of which is `[1:v]` */
export async function normalizeClip(
  tools: MediaTools,
  source: VideoSource,
  options: {
    media: Pick<MediaFileInfo, 'is_hdr'>;
    size: PixelSize;
    graph: string;
    inputs?: readonly string[];
    file: string;
    signal: AbortSignal;
    onProgress(fraction: number): void;
  },
): Promise<void> {
  const { size, file, signal, onProgress } = options;
  const steady = [
    `fps=${source.rate.text}:start_time=0`,
    ...toneMapFilters(tools, options.media),
    `scale=${size.width_px}:${size.height_px}:flags=bicubic`,
    'setsar=1',
    'tpad=stop_mode=clone:stop_duration=2',
  ].join(',');
  const graph = `[0:${source.stream.index}]${steady}[in];${options.graph}`;
  await runFfmpeg(tools, {
    args: flags`-noaccurate_seek -ss ${formatFfmpegSeconds(source.grid_seconds)} -i file:${source.file}
      ${(options.inputs ?? []).flatMap((input) => flags`-loop 1 -i file:${input}`)}
      -filter_complex ${graph} -map [out] -frames:v ${source.frame_count} -an -sn -dn ${SCRATCH_CODEC} file:${file}`,
    total_seconds: source.duration_seconds,
    signal,
    onProgress,
  });
}
