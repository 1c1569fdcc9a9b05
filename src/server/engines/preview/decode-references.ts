import type { MediaTools } from '#server/media/media-tools.ts';
import type { PictureShape } from '#server/media/picture-protocol.ts';
import { readPixels } from '#server/media/picture-jobs.ts';
import type { EngineJob, ResolvedReference } from '../engine.ts';
import type { Pixels } from './render/protocol.ts';

/** Longest side in pixels; several references share the frame and the memory. */
const maxSideFor = (count: number): number => (count <= 2 ? 1600 : count <= 6 ? 900 : 520);

/** `reference_images` returns `reference_images.0`, `.1` … in order, `first_frame` itself. */
export function listReferences(job: EngineJob, field: string): ResolvedReference[] {
  const index = (path: string): number => Number(path.slice(field.length + 1));
  return job.references
    .filter(({ path }) => path === field || (path.startsWith(`${field}.`) && Number.isInteger(index(path))))
    .sort((a, b) => index(a.path) - index(b.path));
}

/** @throws {MediaError} for an unreadable image; the signal's reason when aborted */
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

/** @throws like `decodeImage` */
export function decodePrints(
  tools: MediaTools,
  job: EngineJob,
  references: readonly ResolvedReference[],
): Promise<Pixels[]> {
  const side = maxSideFor(references.length);
  const shape = { width: side, height: side, fit: 'inside', without_enlargement: true } as const;
  return Promise.all(references.map((reference) => decodeImage(tools, job, reference, shape)));
}

/** @throws like `decodeImage` */
export const decodeFrame = (
  tools: MediaTools,
  job: EngineJob,
  reference: ResolvedReference,
  { width_px, height_px }: { width_px: number; height_px: number },
): Promise<Pixels> => decodeImage(tools, job, reference, { width: width_px, height: height_px, fit: 'cover' });
