import { statfs } from 'node:fs/promises';
import type { Deps } from '#server/deps.ts';
import { ApiError } from '#server/core/api-error.ts';
import { StorageError, throwUnavailable } from '#server/storage/storage.ts';

type SpaceDeps = Pick<Deps, 'config' | 'storage'>;

const CHECK_EVERY_BYTES = 4_194_304;
const RETRY_AFTER_SECONDS = 60;

/**
 * Refuses an upload that would leave less than `MIN_FREE_BYTES` on a disk that it needs.
 * @param directory receives the bytes; it must exist
 * @throws {ApiError} 503 `media_storage_unavailable` @throws {StorageError} `unavailable`
 */
export async function assertUploadSpace(
  { config: { min_free_bytes }, storage }: SpaceDeps,
  directory: string,
  bytes: number,
): Promise<void> {
  if (min_free_bytes === 0) return;
  const [arriving, stored = arriving] = await Promise.all([
    statfs(directory).then(({ bavail, bsize }) => bavail * bsize, throwUnavailable),
    storage.freeBytes?.(),
  ]);
  if (Math.min(arriving, stored) - bytes >= min_free_bytes) return;
  throw new ApiError(
    'media_storage_unavailable',
    'The service is short of disk space. Try again later, or ask the operator to free some.',
    { retry_after_seconds: RETRY_AFTER_SECONDS },
  );
}

/** Checks the space again as the bytes of an upload arrive, whatever length was declared. */
export function watchUploadSpace(disks: SpaceDeps, directory: string): (chunk_bytes: number) => Promise<void> {
  let unchecked_bytes = 0;
  return async (chunk_bytes) => {
    unchecked_bytes += chunk_bytes;
    if (unchecked_bytes < CHECK_EVERY_BYTES) return;
    unchecked_bytes = 0;
    await assertUploadSpace(disks, directory, 0);
  };
}

/** Whether the disk refused the bytes of an upload, by its own limit or by ours. */
export const isOutOfSpace = (error: unknown): boolean =>
  error instanceof StorageError || (error instanceof ApiError && error.code === 'media_storage_unavailable');
