import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '#server/platform/core/settings/config.ts';
import type { Fetcher } from '#server/platform/net/fetcher.ts';
import { createDiskStorage } from './disk-storage.ts';
import { type Storage, StorageError } from './storage.ts';

/** A store that is temporarily unavailable does not stop the start; wrong settings do. @throws {StorageError} */
export async function openStorage(
  { mediaDir, s3 }: Pick<Config, 'mediaDir' | 's3'>,
  fetcher: Pick<Fetcher, 'createPool'>,
  log: Pick<Logger, 'warn'>,
): Promise<Storage> {
  if (s3 === null) return createDiskStorage(join(mediaDir, 'media'));
  const [{ createS3Storage }, { findSetupProblem: setupProblem }] = await Promise.all([
    import('./s3-storage.ts'),
    import('./s3-errors.ts'),
  ]);
  const storage = createS3Storage(s3, fetcher.createPool(s3.endpoint));
  await storage.check().catch((error: unknown) => {
    const cause = error instanceof StorageError ? error.cause : error;
    const problem = setupProblem(cause, s3);
    if (problem !== null) throw new StorageError('unavailable', problem, { cause });
    log.warn({ err: cause }, 'the object store does not respond; media are unavailable until it does');
  });
  return storage;
}
