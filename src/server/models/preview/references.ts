import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { MediaTools } from '#server/platform/media/media-tools.ts';
import { savePixels } from '#server/platform/media/picture-jobs.ts';
import type { PictureShape } from '#server/platform/media/picture-protocol.ts';
import type { EngineJob, ResolvedReference } from '#server/models/engine/engine.ts';
import type { PixelFile } from './paint-protocol.ts';

/** Longest side in pixels; several references share the picture and the memory. */
const maxSideFor = (count: number): number => (count <= 2 ? 1200 : count <= 6 ? 700 : 400);

/** `reference_images` returns `reference_images.0`, `.1` … in order, `first_frame` itself. */
export function listReferences(job: EngineJob, field: string): ResolvedReference[] {
  const index = (path: string): number => Number(path.slice(field.length + 1));
  return job.references
    .filter(({ path }) => path === field || (path.startsWith(`${field}.`) && Number.isInteger(index(path))))
    .sort((a, b) => index(a.path) - index(b.path));
}

/** Writes pixels into `folder`. @throws {MediaError} for an unreadable image; the signal's reason when aborted */
export async function decodeImage(
  tools: MediaTools,
  job: EngineJob,
  { file }: Pick<ResolvedReference, 'file'>,
  shape: PictureShape,
  folder: string,
): Promise<PixelFile> {
  const output = path.join(folder, `${randomUUID()}.rgba`);
  const options = { owner: job.generation_id, signal: job.signal };
  const size = await savePixels(tools, file, { file: output, encoding: 'raw', shape }, options);
  return { ...size, file: output };
}

/** Pictures for the strip of references. @throws like `decodeImage` */
export function decodeStrip(
  tools: MediaTools,
  job: EngineJob,
  references: readonly Pick<ResolvedReference, 'file'>[],
  folder: string,
): Promise<PixelFile[]> {
  const side = maxSideFor(references.length);
  const shape = { width: side, height: side, fit: 'inside', without_enlargement: true } as const;
  return Promise.all(references.map((reference) => decodeImage(tools, job, reference, shape, folder)));
}
