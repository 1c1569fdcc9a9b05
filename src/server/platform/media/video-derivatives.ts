import { stat } from 'node:fs/promises';
import type { DecodeOptions } from './decode-queue.ts';
import { runFfmpeg } from './ffmpeg.ts';
import { readContainer } from './ffprobe.ts';
import { flags } from './flags.ts';
import { invalidMediaError } from './media-error.ts';
import { type MediaTools, toneMapFilters } from './media-tools.ts';
import { isHdr, hasLargeFrames, isMovingPicture } from './probe-streams.ts';
import { STREAM_BYTES } from './sandbox.ts';

export interface InspectedVideo {
  file: string;
  width: number;
  height: number;
  duration_seconds: number;
  isHdr: boolean;
}

/** @throws {MediaError} when it can't be read; the signal's reason when aborted */
export async function inspectVideo(
  tools: MediaTools,
  source: Omit<InspectedVideo, 'isHdr'>,
  options: DecodeOptions,
): Promise<InspectedVideo> {
  const { streams } = await tools.queue.run(STREAM_BYTES, options, () =>
    readContainer(tools, source.file, options.signal),
  );
  return { ...source, isHdr: isHdr(streams.find(isMovingPicture)) };
}

/** Many videos start black or fade in, so the poster is taken a little later. */
const SKIPPED_SHARE = 0.1;
const SKIPPED_SECONDS = 1;
/** The most typical of these is the poster. */
const POSTER_FRAMES = 24;
const PREVIEW_SECONDS = 3;
const PREVIEW_SIDE = 480;
const PREVIEW_FPS = 15;
const TIMEOUT_MS = 120_000;

const startOffset = ({ duration_seconds }: InspectedVideo): number =>
  Math.min(SKIPPED_SECONDS, duration_seconds * SKIPPED_SHARE);

/**
 * @param options.side of the square that it fits into, in pixels
 * @param options.isAwaited somebody waits for it, so the first good frame will do
 * @throws {MediaError} when no frame can be read; the signal's reason when aborted
 */
export async function extractPoster(
  tools: MediaTools,
  video: InspectedVideo,
  output: string,
  { side, isAwaited = false, ...options }: DecodeOptions & { side: number; isAwaited?: boolean },
): Promise<void> {
  const filters = scaleFilters(tools, video, side);
  if (!isAwaited) filters.push(`thumbnail=${POSTER_FRAMES}`);
  for (const from of [startOffset(video), 0]) {
    await runQueued(
      tools,
      video,
      { ...options, isAwaited },
      flags`-ss ${from} -i file:${video.file} -map 0:V:0 -vf ${filters.join(',')}
        -frames:v 1 -c:v png -pix_fmt rgb24 -map_metadata -1 -f image2 -update 1 file:${output}`,
    );
    if ((await stat(output).catch(() => null))?.size) return;
  }
  throw invalidMediaError('No frame of the video could be read.');
}

/** Creates a silent MP4 of up to three seconds. @throws {MediaError}; the signal's reason when aborted */
export async function createVideoPreview(
  tools: MediaTools,
  video: InspectedVideo,
  output: string,
  options: DecodeOptions,
): Promise<void> {
  const filters = [`fps=${PREVIEW_FPS}`, ...scaleFilters(tools, video, PREVIEW_SIDE)];
  for (const from of [startOffset(video), 0]) {
    await runQueued(
      tools,
      video,
      options,
      flags`-ss ${from} -i file:${video.file} -map 0:V:0 -t ${PREVIEW_SECONDS} -vf ${filters.join(',')}
        -an -c:v libx264 -preset veryfast -crf 30 -pix_fmt yuv420p -threads 2 -map_metadata -1 -map_chapters -1 -sn -dn
        -max_muxing_queue_size 4096 -movflags +faststart -f mp4 file:${output}`,
    );
    // ffmpeg writes a file without any frame and reports success.
    const written = await readContainer(tools, output, options.signal).catch(() => null);
    options.signal?.throwIfAborted();
    if (written?.streams.some(isMovingPicture)) return;
  }
  throw invalidMediaError('No frame of the video could be read.');
}

const runQueued = (
  tools: MediaTools,
  video: InspectedVideo,
  { signal, isAwaited = false, ...options }: DecodeOptions & { isAwaited?: boolean },
  args: readonly string[],
): Promise<void> =>
  tools.queue.run(STREAM_BYTES, { ...options, signal }, () => {
    if (hasLargeFrames(video)) tools.pictures.stopIfIdle();
    return runFfmpeg(tools, { args, signal, timeoutMs: TIMEOUT_MS, inBackground: !isAwaited, isProbe: true });
  });

/** Scales down first and then tone-maps; sides are even, as the codec requires. */
function scaleFilters(tools: MediaTools, video: InspectedVideo, side: number): string[] {
  const scale = Math.min(1, side / Math.max(video.width, video.height));
  const [width, height] = [video.width, video.height].map((length) =>
    Math.max(2, Math.round((length * scale) / 2) * 2),
  );
  return [`scale=${width}:${height}`, 'setsar=1', ...toneMapFilters(tools, video)];
}
