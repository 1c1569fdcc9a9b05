import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import type { DecodeOptions } from './decode-queue.ts';
import { invalidMediaError, MediaError } from './media-error.ts';
import type { MediaTools } from './media-tools.ts';
import type { PictureShape } from './picture-protocol.ts';
import { decodePicture } from './probe-image.ts';

const HEIGHT_PER_WIDTH = 3;

/**
 * Creates a small WebP: upright, transparent where the image is, the first frame of an animation, never enlarged.
 * @throws {MediaError} when it can't be read; the signal's reason when aborted
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
    return await decodePicture(tools, null, job, options);
  } catch (error) {
    if (!(error instanceof MediaError) || error.code !== 'invalid_media') throw error;
    throw invalidMediaError('No thumbnail of the image could be created.', error);
  }
}

interface PixelImage {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** Reads upright pixels through a temporary file beside it. @throws {MediaError}; the signal's reason when aborted */
export async function readPixels(
  tools: MediaTools,
  file: string,
  shape: PictureShape,
  options: DecodeOptions,
): Promise<PixelImage> {
  const output = `${file}.${randomUUID()}.rgba`;
  try {
    const size = await decodePicture(tools, null, { kind: 'pixels', file, output, ...shape }, options);
    return { ...size, rgba: await readFile(output, { signal: options.signal }) };
  } finally {
    await rm(output, { force: true });
  }
}
