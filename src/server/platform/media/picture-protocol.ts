import * as z from 'zod/mini';
import type { MaskSpec } from '#contract/task.ts';

export interface PictureShape {
  width: number;
  height: number;
  fit: 'inside' | 'cover';
  without_enlargement?: boolean;
  /** Clockwise, after the orientation of the image was applied. */
  quarters?: number;
  mirror?: boolean;
  upsideDown?: boolean;
  sharpen?: number;
}

/** In the order in which they are done, in pixels of the upright picture. */
export interface PictureChanges {
  crop: { left: number; top: number; width: number; height: number } | null;
  quarters: number;
  flip: 'none' | 'horizontal' | 'vertical';
  resize: { width: number; height: number; fit: 'cover' | 'fill' } | null;
  /** Size of what is extended. */
  inner: { width: number; height: number };
  /** `fill`: a color, or the blurred picture. */
  expand: { left: number; top: number; right: number; bottom: number; fill: string } | null;
}

export const TRANSFORM_FORMATS = ['png', 'jpeg', 'webp', 'gif', 'avif'] as const;
export type TransformFormat = (typeof TRANSFORM_FORMATS)[number];

export interface MaskConversion {
  from: 'white' | 'transparent';
  to: MaskSpec['polarity'];
}

export type PixelEncoding = 'raw' | 'png';

export type PictureJob =
  /** A mask, which is white or transparent where it changes, as a PNG with what another reads there. */
  | ({ kind: 'mask'; file: string; output: string } & MaskConversion)
  | { kind: 'header'; file: string }
  | { kind: 'decode'; file: string }
  | { kind: 'shrink'; file: string; output: string; width: number; height: number }
  | { kind: 'transform'; file: string; output: string; format: TransformFormat; changes: PictureChanges }
  /** Upright sRGB pixels; `raw`: four bytes each. */
  | ({ kind: 'pixels'; file: string; output: string; encoding: PixelEncoding } & PictureShape);
/** Jobs that decode an image. */
export type DecodeJob = Exclude<PictureJob, { kind: 'header' }>;

const PictureHeader = z.object({
  format: z.string(),
  width: z.int(),
  height: z.int(),
  /** Whether its pixels are stored as it is shown. */
  is_upright: z.boolean(),
  frame_width: z.int(),
  frame_height: z.int(),
  pages: z.int(),
  channels: z.int(),
  sample_bits: z.int(),
  is_interlaced: z.boolean(),
  subsampling: z.nullable(z.string()),
});
export type PictureHeader = z.infer<typeof PictureHeader>;

export const PictureResponse = z.union([
  z.object({ header: PictureHeader }),
  z.object({ size: z.object({ width: z.int(), height: z.int() }) }),
  z.object({ problem: z.string() }),
]);
export type PictureResponse = z.infer<typeof PictureResponse>;
