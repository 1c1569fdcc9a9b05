import * as z from 'zod/mini';

/** How a picture is placed into its new size; as of sharp. */
export interface PictureShape {
  width: number;
  height: number;
  fit: 'inside' | 'cover';
  without_enlargement?: boolean;
  /** Turned clockwise by so many quarters, after its own orientation was applied. */
  quarters?: number;
  mirror?: boolean;
  upside_down?: boolean;
  /** Sigma of the blur that it is compared with. */
  sharpen?: number;
}

/** What the process that decodes pictures can do; files by their absolute paths. */
export type PictureJob =
  | { kind: 'header'; file: string }
  /** Reads every line and keeps nothing. */
  | { kind: 'decode'; file: string }
  /** A small WebP. */
  | { kind: 'shrink'; file: string; output: string; width: number; height: number }
  /** Upright sRGB pixels, four bytes each. */
  | ({ kind: 'pixels'; file: string; output: string } & PictureShape);

const PictureHeader = z.object({
  /** Of the loader that took it. */
  format: z.string(),
  /** As displayed. */
  width: z.int(),
  height: z.int(),
  /** Of one frame, as stored. */
  frame_width: z.int(),
  frame_height: z.int(),
  pages: z.int(),
  channels: z.int(),
  /** Of one sample of one channel. */
  sample_bits: z.int(),
  is_interlaced: z.boolean(),
  /** As of a JPEG: `4:2:0`. */
  subsampling: z.nullable(z.string()),
});
export type PictureHeader = z.infer<typeof PictureHeader>;

export const PictureResponse = z.union([
  z.object({ header: PictureHeader }),
  z.object({ size: z.object({ width: z.int(), height: z.int() }) }),
  /** The picture is at fault; for the log. */
  z.object({ problem: z.string() }),
]);
export type PictureResponse = z.infer<typeof PictureResponse>;
