import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import type { DecodeOptions } from './decode-queue.ts';
import type { MediaTools } from './media-tools.ts';
import type { ImageShape } from './image-protocol.ts';
import { decodeImage } from './probe-image.ts';

export interface PixelImage {
  width: number;
  height: number;
  /** sRGB, four bytes per pixel. */
  rgba: Uint8Array;
}

/**
 * Decodes an image to upright pixels of the requested size, through a file beside it.
 * @throws {MediaError} if it can't be read; the signal's reason when aborted
 */
export async function readPixels(
  tools: MediaTools,
  file: string,
  shape: ImageShape,
  options: DecodeOptions,
): Promise<PixelImage> {
  const output = `${file}.${randomUUID()}.rgba`;
  try {
    const size = await decodeImage(tools, null, { kind: 'pixels', file, output, ...shape }, options);
    return { ...size, rgba: await readFile(output, { signal: options.signal }) };
  } finally {
    await rm(output, { force: true });
  }
}
