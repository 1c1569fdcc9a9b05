import { readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Config } from '#server/platform/core/settings/config.ts';
import type { Deps } from '#server/platform/deps.ts';
import { StorageError, throwUnavailable } from '#server/platform/storage/storage.ts';

export const uploadFolder = ({ mediaDir }: Pick<Config, 'mediaDir'>): string => join(mediaDir, 'tmp', 'uploads');

/** @returns the number of files */
export async function removeStaleUploads(config: Pick<Config, 'mediaDir'>, before: Date): Promise<number> {
  const folder = uploadFolder(config);
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    const stats = await stat(file).catch(() => null);
    if (!stats || stats.mtime >= before) continue;
    await rm(file, { force: true });
    removed += 1;
  }
  return removed;
}

const CHECK_EVERY_BYTES = 4_194_304;
const RETRY_AFTER_SECONDS = 60;

/**
 * Rejects what would leave less than `MIN_FREE_BYTES`. @throws {StorageError} `unavailable`
 * @param directory existing @throws {ApiError} 503 `media_storage_unavailable`
 */
export async function assertUploadSpace(
  { config: { minFreeBytes }, storage }: Deps,
  directory: string,
  bytes: number,
): Promise<void> {
  if (minFreeBytes === 0) return;
  const [tempBytes, storedBytes = tempBytes] = await Promise.all([
    statfs(directory).then(({ bavail, bsize }) => bavail * bsize, throwUnavailable),
    storage.freeBytes?.(),
  ]);
  if (Math.min(tempBytes, storedBytes) - bytes >= minFreeBytes) return;
  throw new ApiError(
    'media_storage_unavailable',
    'The service is low on disk space. Try again later, or ask your administrator to free some.',
    { retry_after_seconds: RETRY_AFTER_SECONDS },
  );
}

/** The declared length may be wrong. */
export function watchUploadSpace(deps: Deps, directory: string): (chunkBytes: number) => Promise<void> {
  let uncheckedBytes = 0;
  return async (chunkBytes) => {
    uncheckedBytes += chunkBytes;
    if (uncheckedBytes < CHECK_EVERY_BYTES) return;
    uncheckedBytes = 0;
    await assertUploadSpace(deps, directory, 0);
  };
}

/** Whether an upload failed for lack of space, by the disk or by `MIN_FREE_BYTES`. */
export const isOutOfSpace = (error: unknown): boolean =>
  error instanceof StorageError || (error instanceof ApiError && error.code === 'media_storage_unavailable');
