import type { DecodeOptions } from './decode-queue.ts';
import { invalidMediaError, MediaError } from './media-error.ts';
import type { MediaTools } from './media-tools.ts';
import { decodeImage } from './probe-image.ts';

/** Maximum ratio of height to width, for narrow images. */
const HEIGHT_PER_WIDTH = 3;

/**
 * Writes a small WebP of an image: upright, with transparency, the first frame of an animation, never enlarged.
 * @param output.width maximum width
 * @returns size in pixels
 * @throws {MediaError} if it can't be read; the signal's reason when aborted
 */
export async function shrinkImage(
  tools: MediaTools,
  file: string,
  output: { file: string; width: number },
  options: DecodeOptions = {},
): Promise<{ width: number; height: number }> {
  const { width } = output;
  const job = { kind: 'shrink', file, output: output.file, width, height: width * HEIGHT_PER_WIDTH } as const;
  try {
    return await decodeImage(tools, null, job, options);
  } catch (error) {
    if (!(error instanceof MediaError) || error.code !== 'invalid_media') throw error;
    throw invalidMediaError('No thumbnail of the image could be created.', error);
  }
}
