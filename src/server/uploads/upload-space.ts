import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { ApiError } from '../http/api-error.ts';
import { StorageError, unavailable } from '../storage/storage.ts';

export type SpaceLimits = Pick<Config, 'media_dir' | 's3' | 'min_free_bytes'>;

const CHECK_EVERY_BYTES = 4_194_304;
const RETRY_AFTER_SECONDS = 60;

/**
 * Refuses an upload that would leave less than `MIN_FREE_BYTES` on a disk that it needs.
 * @param directory receives the bytes; it must exist
 * @throws {ApiError} 503 `media_storage_unavailable` @throws {StorageError} `unavailable`
 */
export async function assertUploadSpace(limits: SpaceLimits, directory: string, bytes: number): Promise<void> {
  const { media_dir, s3, min_free_bytes } = limits;
  if (min_free_bytes === 0) return;
  const directories = s3 === null ? [directory, join(media_dir, 'media')] : [directory];
  const free_bytes = await Promise.all(directories.map(freeBytes)).catch(unavailable);
  if (Math.min(...free_bytes) - bytes >= min_free_bytes) return;
  throw new ApiError(
    'media_storage_unavailable',
    `The service is short of disk space: it keeps ${inMegabytes(min_free_bytes)} free, which this upload would use. ` +
      'Try again later, or ask the operator to free space.',
    { retry_after_seconds: RETRY_AFTER_SECONDS },
  );
}

/** Checks the space again as the bytes of an upload arrive, whatever length was declared. */
export function watchUploadSpace(limits: SpaceLimits, directory: string): (chunk_bytes: number) => Promise<void> {
  let unchecked_bytes = 0;
  return async (chunk_bytes) => {
    unchecked_bytes += chunk_bytes;
    if (unchecked_bytes < CHECK_EVERY_BYTES) return;
    unchecked_bytes = 0;
    await assertUploadSpace(limits, directory, 0);
  };
}

/** Whether the disk refused the bytes of an upload, by its own limit or by ours. */
export const isSpaceProblem = (error: unknown): boolean =>
  error instanceof StorageError || (error instanceof ApiError && error.code === 'media_storage_unavailable');

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

const inMegabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000).toLocaleString('en-US')} MB`;
