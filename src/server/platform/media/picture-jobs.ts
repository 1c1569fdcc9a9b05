import type { DecodeOptions } from './decode-queue.ts';
import { invalidMediaError, MediaError } from './media-error.ts';
import type { MediaTools } from './media-tools.ts';
import type {
  MaskConversion,
  PictureChanges,
  PictureShape,
  PixelEncoding,
  TransformFormat,
} from './picture-protocol.ts';
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

/**
 * Writes upright pixels. @param output.encoding `raw`: four bytes each
 * @throws {MediaError}; the signal's reason when aborted
 */
export const savePixels = (
  tools: MediaTools,
  file: string,
  output: { file: string; encoding: PixelEncoding; shape: PictureShape },
  options: DecodeOptions,
): Promise<{ width: number; height: number }> =>
  decodePicture(
    tools,
    null,
    { kind: 'pixels', file, output: output.file, encoding: output.encoding, ...output.shape },
    options,
  );

/**
 * Writes a mask as another program reads it. @param output.file a PNG of the same size
 * @throws {MediaError}, also without an alpha channel to read; the signal's reason when aborted
 */
export const saveMask = (
  tools: MediaTools,
  file: string,
  { file: output, ...conversion }: { file: string } & MaskConversion,
  options: DecodeOptions,
): Promise<{ width: number; height: number }> =>
  decodePicture(tools, null, { kind: 'mask', file, output, ...conversion }, options);

/** Writes a changed picture. @throws {MediaError}; the signal's reason when aborted */
export const writeTransformed = (
  tools: MediaTools,
  file: string,
  output: { file: string; format: TransformFormat; changes: PictureChanges },
  options: DecodeOptions,
): Promise<{ width: number; height: number }> => {
  const { format, changes } = output;
  return decodePicture(tools, null, { kind: 'transform', file, output: output.file, format, changes }, options);
};
