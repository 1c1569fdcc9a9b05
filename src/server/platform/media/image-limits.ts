import type { PictureHeader } from './picture-protocol.ts';

/** Phones take photos of 50 megapixels; larger images are rejected before decoding. */
export const MAX_IMAGE_PIXELS = 50_000_000;
export const MAX_ANIMATION_PIXELS = 300_000_000;
/** Memory of a decoder for one image. Plain JPEG and PNG are read line by line and stay far below. */
export const MAX_DECODED_BYTES = 220_000_000;

/** Coefficients of a progressive JPEG, which must be read completely; two bytes each. */
const COEFFICIENTS_PER_PIXEL: Readonly<Record<string, number>> = { '4:2:0': 1.5, '4:2:2': 2, '4:4:0': 2 };

/** Measured with libvips 8.18: an AVIF of 8 bits takes 18 bytes per pixel, a deeper or transparent one up to 25. */
export function decodedBytes(header: PictureHeader): number {
  const pixels = header.frame_width * header.frame_height;
  const sampleBytes = header.sample_bits / 8;
  switch (header.format) {
    case 'jpeg':
      if (!header.is_interlaced) return 0;
      return 2 * pixels * (COEFFICIENTS_PER_PIXEL[header.subsampling ?? ''] ?? header.channels);
    case 'png':
      return header.is_interlaced ? pixels * header.channels * sampleBytes : 0;
    case 'heif':
      return pixels * (sampleBytes > 1 || header.channels > 3 ? 25 : 18);
    case 'gif':
    case 'webp':
      return pixels * 4;
    default:
      return pixels * header.channels * sampleBytes;
  }
}
