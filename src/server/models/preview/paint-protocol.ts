import * as z from 'zod/mini';
import type { PaintRequest } from './painter.ts';
import type { ImageFormat } from './write-image.ts';

/** Straight RGBA in a file, four bytes a pixel. */
export interface PixelFile {
  width: number;
  height: number;
  file: string;
}

type RequestOf<Kind extends PaintRequest['kind']> = Extract<PaintRequest<PixelFile>, { kind: Kind }>;

export type ImageRequest = RequestOf<'still' | 'edit'>;
export type LayersRequest = RequestOf<'layers' | 'overlay'>;

export type PaintJob =
  | { kind: 'image'; request: ImageRequest; file: string; format: ImageFormat }
  /** Writes a PNG for each layer of a clip. */
  | { kind: 'layers'; request: LayersRequest; folder: string }
  /** A small WebP in the response. */
  | { kind: 'poster'; request: RequestOf<'still'>; isAnimated: boolean };

export const PaintResponse = z.union([
  z.strictObject({ files: z.array(z.string()) }),
  z.strictObject({ base64: z.string() }),
  /** `code` is that of an error of the file system. */
  z.strictObject({ problem: z.string(), code: z.optional(z.string()) }),
]);
export type PaintResponse = z.infer<typeof PaintResponse>;
