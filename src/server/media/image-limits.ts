import type { ImageHeader } from './image-protocol.ts';

/** Phones take 50 megapixels. Larger images are rejected before decoding. */
export const MAX_IMAGE_PIXELS = 50_000_000;
/** Total of all frames of an animation. */
export const MAX_ANIMATION_PIXELS = 300_000_000;
/** Memory limit of a decoder. A baseline JPEG or PNG is read line by line and needs far less. */
export const MAX_DECODED_BYTES = 220_000_000;

/** Coefficients of a progressive JPEG, which is decoded as a whole; two bytes each. */
const COEFFICIENTS_PER_PIXEL: Readonly<Record<string, number>> = { '4:2:0': 1.5, '4:2:2': 2, '4:4:0': 2 };

/**
 * Estimates the memory of a decoder from the header of an image. Measured with libvips 8.18: an AVIF of 8 bits takes
 * 18 bytes a pixel, a deeper or transparent one up to 25.
 */
export function decodedBytes(header: ImageHeader): number {
  const pixels = header.frame_width * header.frame_height;
  const sample_bytes = header.sample_bits / 8;
  switch (header.format) {
    case 'jpeg':
      if (!header.is_interlaced) return 0;
      return 2 * pixels * (COEFFICIENTS_PER_PIXEL[header.subsampling ?? ''] ?? header.channels);
    case 'png':
      return header.is_interlaced ? pixels * header.channels * sample_bytes : 0;
    case 'heif':
      return pixels * (sample_bytes > 1 || header.channels > 3 ? 25 : 18);
    case 'gif':
    case 'webp':
      return pixels * 4;
    default:
      return pixels * header.channels * sample_bytes;
  }
}
