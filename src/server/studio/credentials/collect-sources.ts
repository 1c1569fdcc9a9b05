import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inArray } from 'drizzle-orm';
import { findContract } from '#contract/model-catalog.ts';
import { rankReferences } from '#contract/media-roles.ts';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { assetCredentials } from '#server/platform/db/schema/credential-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { readMarks } from '#server/platform/media/marks/read-marks.ts';
import { StorageError } from '#server/platform/storage/storage.ts';
import { findLocalMedia, type StoredMedia } from '#server/studio/assets/find-stored-media.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import { type ResultSource, storeLabel } from './describe-result.ts';

/** Larger files are not hashed again to check credentials of others. */
const MAX_CHECKED_BYTES = 32 * 2 ** 20;

/**
 * Finds what a result was made from, with the credentials of each.
 * @param references files that are here already; own media are copied from storage otherwise
 * @throws {StorageError}; the signal's reason
 */
export async function collectSources(
  deps: Deps,
  row: GenerationRow,
  references: readonly ResolvedReference[],
  folder: string,
  signal: AbortSignal,
): Promise<ResultSource[]> {
  const contract = findContract(deps.offering.current(), row);
  const named = contract ? rankReferences(contract, row.input) : [];
  const media = await Promise.all(
    named.map(({ url }) => findLocalMedia(deps, row.organization_id, url, { evenRemoved: true })),
  );
  const ids = media.flatMap((found) => (found.own && found.medium ? [found.medium.id] : []));
  const stored =
    ids.length === 0
      ? []
      : await deps.db.select().from(assetCredentials).where(inArray(assetCredentials.asset_id, ids));
  const sources: ResultSource[] = [];
  for (const [index, { url, kind, rank, is_guide }] of named.entries()) {
    const found = media[index];
    const medium = found?.own ? found.medium : null;
    const reference = references.find((each) => each.url === url);
    const credentials = stored.find(({ asset_id }) => asset_id === medium?.id);
    const file =
      reference?.file ?? (medium && (await copyMedium(deps, medium, join(folder, `source-${index}`), signal)));
    const mimeType = reference?.media.mime_type ?? medium?.mime_type ?? 'application/octet-stream';
    const title = medium?.id ?? 'External file';
    const known = { kind, rank, is_guide, title, mime_type: mimeType };
    const sidecar = credentials?.sidecar ? Buffer.from(credentials.sidecar, 'base64') : undefined;
    const store = sidecar ?? (file ? await readStore(file) : undefined);
    if (!file || !store) {
      sources.push({ ...known, ai: credentials?.ai ?? null, is_lost: store === null });
      continue;
    }
    const isChecked = credentials !== undefined;
    const cited = await citeCredentials({ file, store, isChecked }, join(folder, `source-${index}.c2pa`));
    sources.push({ ...known, ai: credentials?.ai ?? storeLabel(store), ...cited });
  }
  return sources;
}

/** The credentials in a file; null: damaged, unsafe or too large ones. */
export const readStore = async (file: string): Promise<Buffer | null | undefined> => (await readMarks(file)).c2pa;

/** @returns null if the file was deleted since */
async function copyMedium(deps: Deps, medium: StoredMedia, file: string, signal: AbortSignal): Promise<string | null> {
  try {
    await deps.storage.copyToFile(medium.storage_key, file, { signal });
    return file;
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not_found') return null;
    throw error;
  }
}

/** @param isChecked the store was made for the file here @param target where a store is written that stands for it */
export async function citeCredentials(
  { file, store, isChecked }: { file: string; store: Buffer; isChecked: boolean },
  target: string,
): Promise<Pick<ResultSource, 'file' | 'store'>> {
  if (!isChecked && (await stat(file)).size <= MAX_CHECKED_BYTES) return { file };
  await writeFile(target, store);
  return { store: target };
}
