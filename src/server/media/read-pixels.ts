import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import type { DecodeOptions } from './decode-queue.ts';
import type { MediaTools } from './media-tools.ts';
import type { PictureShape } from './picture-protocol.ts';
import { decodePicture } from './probe-image.ts';

export interface PixelImage {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/**
 * Reads the pixels of an image, upright and resized, through a temporary file beside it. @throws {MediaError} when it
 * can't be read; the signal's reason when aborted
 */
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
