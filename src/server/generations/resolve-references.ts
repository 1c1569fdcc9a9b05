import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { inputContract } from '#contract/catalog.ts';
import type { Deps } from '#server/deps.ts';
import type { ResolvedReference } from '#server/engines/engine.ts';
import { type MediaFileInfo, probeFile } from '#server/media/probe-file.ts';
import { RunError } from './failure.ts';
import { type FetchReferenceDeps, fetchReference } from './fetch-reference.ts';
import { validateMedia } from './validate-media.ts';
import { MEDIA_GONE_MESSAGE, findLocalMedia } from '#server/assets/find-local-media.ts';
import type { GenerationRow } from './present-generation.ts';
import { extractReferences } from '#contract/extract-references.ts';

export type ResolveReferencesDeps = FetchReferenceDeps & Pick<Deps, 'config' | 'clock' | 'secrets' | 'db' | 'storage'>;

/**
 * Brings every reference of a generation into its job folder: own media out of the storage, others over the network,
 * each address once. What they really are is then judged against the task.
 * @throws {RunError} where one is gone or of the wrong kind or length; what `fetchReference` throws
 */
export async function resolveReferences(
  deps: ResolveReferencesDeps,
  row: GenerationRow,
  folder: string,
  signal: AbortSignal,
): Promise<ResolvedReference[]> {
  const contract = inputContract(row.task, row.model);
  const references = contract ? extractReferences(contract, row.input) : [];
  const files = new Map<string, { file: string; media: MediaFileInfo }>();
  for (const { url } of references) {
    if (files.has(url)) continue;
    const file = join(folder, `reference-${files.size}`);
    const media = await fetchMedia(deps, row, url, file, signal);
    const named = `${file}.${media.extension}`;
    await rename(file, named);
    files.set(url, { file: named, media });
  }
  const resolved = references.flatMap(({ path, url, role }) => {
    const found = files.get(url);
    return found ? [{ path, url, role, ...found }] : [];
  });
  const known = new Map(resolved.map(({ path, media }) => [path, media]));
  const problem = validateMedia(row.task, row.input, references, known);
  if (problem) throw new RunError('invalid_media', problem.message);
  return resolved;
}

async function fetchMedia(
  deps: ResolveReferencesDeps,
  { organization_id, created_by: owner }: GenerationRow,
  url: string,
  file: string,
  signal: AbortSignal,
): Promise<MediaFileInfo> {
  const found = await findLocalMedia(deps, organization_id, url, { even_removed: true });
  if (!found.own) return fetchReference(deps, url, file, { owner, download_signal: signal, signal });
  if (!found.medium) throw new RunError('media_gone', MEDIA_GONE_MESSAGE);
  await deps.storage.copyToFile(found.medium.storage_key, file, { signal });
  return probeFile(deps.media, file, { owner, signal });
}
