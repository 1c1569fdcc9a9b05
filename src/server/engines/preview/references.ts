import sharp, { type Sharp } from 'sharp';
import { abortable } from '../../abortable.ts';
import { EngineError, type EngineJob, type ResolvedReference } from '../engine.ts';
import type { Pixels } from './render/protocol.ts';

/** Longest side that a picture keeps when it is set into a scene; many share the room, and the memory. */
const longestFor = (count: number): number => (count <= 2 ? 1600 : count <= 6 ? 900 : 520);
const MAX_PIXELS = 300_000_000;

/** The references of a field in order: `reference_images` finds `reference_images.0`, `.1` …, `first_frame` itself. */
export function referencesOf(job: EngineJob, field: string): ResolvedReference[] {
  const index = (path: string): number => Number(path.slice(field.length + 1));
  return job.references
    .filter(({ path }) => path === field || (path.startsWith(`${field}.`) && Number.isInteger(index(path))))
    .sort((a, b) => index(a.path) - index(b.path));
}

/** An upright, sRGB picture of a reference file, ready to be resized. */
export const openImage = (file: string): Sharp =>
  sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', autoOrient: true }).toColourspace('srgb').ensureAlpha();

/**
 * Decodes reference images, small enough to be set into a scene.
 * @throws {EngineError} `invalid_media` for one that can't be read
 */
export function decodePrints(references: readonly ResolvedReference[], signal: AbortSignal): Promise<Pixels[]> {
  const side = longestFor(references.length);
  return Promise.all(
    references.map(({ file }) => {
      const inside = { width: side, height: side, fit: 'inside', withoutEnlargement: true } as const;
      return readPixels(openImage(file).resize(inside), signal);
    }),
  );
}

/** Decodes a picture to cover a frame exactly. */
export const decodeFrame = (
  { file }: ResolvedReference,
  { width_px, height_px }: { width_px: number; height_px: number },
  signal: AbortSignal,
): Promise<Pixels> =>
  readPixels(openImage(file).resize({ width: width_px, height: height_px, fit: 'cover', kernel: 'lanczos3' }), signal);

export async function readPixels(picture: Sharp, signal: AbortSignal): Promise<Pixels> {
  const decoded = picture
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((cause: unknown) => {
      throw new EngineError('invalid_media', 'A reference image is damaged and cannot be read.', { cause });
    });
  const { data, info } = await abortable(decoded, signal);
  return { width_px: info.width, height_px: info.height, rgba: new Uint8Array(data) };
}
