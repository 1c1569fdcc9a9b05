import type { MediaTools } from '#server/media/media-tools.ts';
import type { PictureShape } from '#server/media/picture-protocol.ts';
import { readPixels } from '#server/media/read-pixels.ts';
import type { EngineJob, ResolvedReference } from '../engine.ts';
import type { Pixels } from './render/protocol.ts';

/** Longest side that a picture keeps when it is set into a scene; many share the room, and the memory. */
const maxSideFor = (count: number): number => (count <= 2 ? 1600 : count <= 6 ? 900 : 520);

/** The references of a field in order: `reference_images` finds `reference_images.0`, `.1` …, `first_frame` itself. */
export function listReferences(job: EngineJob, field: string): ResolvedReference[] {
  const index = (path: string): number => Number(path.slice(field.length + 1));
  return job.references
    .filter(({ path }) => path === field || (path.startsWith(`${field}.`) && Number.isInteger(index(path))))
    .sort((a, b) => index(a.path) - index(b.path));
}

/**
 * Decodes a reference image into a shape.
 * @throws {MediaError} for one that can't be read; the signal's reason when aborted
 */
export async function decodeImage(
  tools: MediaTools,
  job: EngineJob,
  { file }: ResolvedReference,
  shape: PictureShape,
): Promise<Pixels> {
  const { width, height, rgba } = await readPixels(tools, file, shape, {
    owner: job.generation_id,
    signal: job.signal,
  });
  return { width_px: width, height_px: height, rgba: new Uint8Array(rgba) };
}

/** Decodes reference images, small enough to be set into a scene. @throws as `decodeImage` */
export function decodePrints(
  tools: MediaTools,
  job: EngineJob,
  references: readonly ResolvedReference[],
): Promise<Pixels[]> {
  const side = maxSideFor(references.length);
  const shape = { width: side, height: side, fit: 'inside', without_enlargement: true } as const;
  return Promise.all(references.map((reference) => decodeImage(tools, job, reference, shape)));
}

/** Decodes a picture to cover a frame exactly. @throws as `decodeImage` */
export const decodeFrame = (
  tools: MediaTools,
  job: EngineJob,
  reference: ResolvedReference,
  { width_px, height_px }: { width_px: number; height_px: number },
): Promise<Pixels> => decodeImage(tools, job, reference, { width: width_px, height: height_px, fit: 'cover' });
