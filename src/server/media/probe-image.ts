import sharp, { type Metadata } from 'sharp';
import type { FORMATS, FormatName } from './formats.ts';
import { invalidMedia, type MediaError } from './media-error.ts';

/** Phones make 50 megapixels; more is refused before a single one is decoded. */
export const MAX_IMAGE_PIXELS = 50_000_000;
/** Of all frames of an animation together. */
export const MAX_ANIMATION_PIXELS = 300_000_000;
const DECODE_SECONDS = 15;

export type ImageFormatName = {
  [Name in FormatName]: (typeof FORMATS)[Name]['kind'] extends 'image' ? Name : never;
}[FormatName];

/** By which name sharp's loader goes; a file that another loader takes is not what it began as. */
const LOADER = {
  png: 'png',
  apng: 'png',
  jpg: 'jpeg',
  webp: 'webp',
  gif: 'gif',
  avif: 'heif',
} as const satisfies Record<ImageFormatName, Metadata['format']>;

export const isImageFormat = (format: FormatName): format is ImageFormatName => Object.hasOwn(LOADER, format);

// Its cache goes by file name, and a job that runs again writes other content under the same name.
sharp.cache(false);

/**
 * Size of a picture as displayed, after decoding its first frame to know that it is whole.
 * @throws {MediaError}
 */
export async function probeImage(file: string, format: ImageFormatName): Promise<{ width: number; height: number }> {
  const meta = await sharp(file, { limitInputPixels: false }).metadata().catch(unreadable);
  if (LOADER[format] !== meta.format) return unreadable(new Error(`${format} was loaded as ${meta.format}`));
  const { width, height } = meta.autoOrient;
  const frame_pixels = meta.width * (meta.pageHeight ?? meta.height);
  if (frame_pixels > MAX_IMAGE_PIXELS) throw tooLarge(width, height);
  if (frame_pixels * (meta.pages ?? 1) > MAX_ANIMATION_PIXELS) {
    throw invalidMedia('The animation has too many pixels. Use fewer or smaller frames.');
  }
  await decode(file).catch(unreadable);
  return { width, height };
}

/** Every line is decoded; almost nothing is kept. */
const decode = (file: string): Promise<Buffer> =>
  sharp(file, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error', sequentialRead: true })
    .timeout({ seconds: DECODE_SECONDS })
    .resize(8, 8, { fit: 'fill' })
    .raw()
    .toBuffer();

const tooLarge = (width: number, height: number): MediaError =>
  invalidMedia(
    `The picture has ${width} × ${height} pixels. At most ${MAX_IMAGE_PIXELS / 1e6} megapixels are possible: make it smaller.`,
  );

function unreadable(cause: unknown): never {
  throw invalidMedia('The picture is damaged or cut short and cannot be read.', cause);
}
