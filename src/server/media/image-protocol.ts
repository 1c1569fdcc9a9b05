import * as z from 'zod/mini';

/** Fit of an image into its new size, as in sharp. */
export interface ImageShape {
  width: number;
  height: number;
  fit: 'inside' | 'cover';
  without_enlargement?: boolean;
  /** Clockwise quarter turns, after the EXIF orientation was applied. */
  quarters?: number;
  mirror?: boolean;
  upside_down?: boolean;
  /** Sigma of the blur for sharpening. */
  sharpen?: number;
}

/** Jobs of the decoder process. Files have absolute paths. */
export type ImageJob =
  | { kind: 'header'; file: string }
  /** Decodes the image and discards it. */
  | { kind: 'decode'; file: string }
  /** Writes a small WebP. */
  | { kind: 'shrink'; file: string; output: string; width: number; height: number }
  /** Writes upright sRGB pixels, four bytes each. */
  | ({ kind: 'pixels'; file: string; output: string } & ImageShape);

const ImageHeader = z.object({
  /** Name of the loader. */
  format: z.string(),
  /** As displayed. */
  width: z.int(),
  height: z.int(),
  /** Size of one frame as stored. */
  frame_width: z.int(),
  frame_height: z.int(),
  pages: z.int(),
  channels: z.int(),
  /** Bits per sample. */
  sample_bits: z.int(),
  is_interlaced: z.boolean(),
  /** Such as `4:2:0`, for JPEG. */
  subsampling: z.nullable(z.string()),
});
export type ImageHeader = z.infer<typeof ImageHeader>;

export const ImageResponse = z.union([
  z.object({ header: ImageHeader }),
  z.object({ size: z.object({ width: z.int(), height: z.int() }) }),
  /** The image is at fault; for the log. */
  z.object({ problem: z.string() }),
]);
export type ImageResponse = z.infer<typeof ImageResponse>;
