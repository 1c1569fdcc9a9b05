import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { findContract } from '#contract/model-catalog.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { type MediaFileInfo, probeFile } from '#server/platform/media/probe-file.ts';
import { RunError } from '#server/studio/generations/failure.ts';
import { fetchReference } from './fetch-reference.ts';
import { validateMedia } from './validate-media.ts';
import { MEDIA_GONE_MESSAGE, findLocalMedia } from '#server/studio/assets/find-stored-media.ts';
import { findMeasured, rememberMeasured } from '#server/studio/assets/measured-files.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import { extractReferences } from '#contract/task-input.ts';

/**
 * Copies every reference of a generation into its job folder, from storage or over the network, each URL once, and
 * validates the files against the task.
 * @throws {RunError} if one is deleted or has the wrong kind or length; what `fetchReference` throws
 */
export async function resolveReferences(
  deps: Deps,
  row: GenerationRow,
  folder: string,
  signal: AbortSignal,
): Promise<ResolvedReference[]> {
  const contract = findContract(deps.offering.current(), row);
  const references = contract ? extractReferences(contract, row.input) : [];
  const files = new Map<string, { file: string; media: MediaFileInfo }>();
  for (const { url } of references) {
    if (files.has(url)) continue;
    const file = join(folder, `reference-${files.size}`);
    const media = await fetchMedia(deps, row, url, file, signal);
    const fileWithExtension = `${file}.${media.extension}`;
    await rename(file, fileWithExtension);
    files.set(url, { file: fileWithExtension, media });
  }
  const resolved = references.flatMap(({ path, url, role, mask }) => {
    const fetched = files.get(url);
    return fetched ? [{ path, url, role, mask, ...fetched }] : [];
  });
  const known = new Map(resolved.map(({ path, media }) => [path, media]));
  const problem = validateMedia(row, row.input, references, known);
  if (problem) throw new RunError('invalid_media', problem.message);
  return resolved;
}

async function fetchMedia(
  deps: Deps,
  { organization_id, created_by: owner }: GenerationRow,
  url: string,
  file: string,
  signal: AbortSignal,
): Promise<MediaFileInfo> {
  const local = await findLocalMedia(deps, organization_id, url, { evenRemoved: true });
  if (!local.own) return fetchReference(deps, url, file, { owner, downloadSignal: signal, signal });
  if (!local.medium) throw new RunError('media_gone', MEDIA_GONE_MESSAGE);
  const { storage_key } = local.medium;
  const stat = await deps.storage.stat(storage_key);
  if (!stat) throw new RunError('media_gone', MEDIA_GONE_MESSAGE);
  await deps.storage.copyToFile(storage_key, file, { signal });
  const media = findMeasured(storage_key, stat) ?? (await probeFile(deps.media, file, { owner, signal }));
  rememberMeasured(storage_key, stat, media);
  return media;
}
