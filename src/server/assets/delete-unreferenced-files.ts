import type { Deps } from '#server/deps.ts';
import { deleteDerivatives } from './derivatives/delete-derivatives.ts';
import { findReferencedKeys } from './orphans.ts';

/**
 * Deletes stored files and their derivatives unless a row still references them: uploads of the same file share its
 * bytes. Call it after the commit. The sweeper deletes what fails here.
 */
export async function deleteUnreferencedFiles(
  { db, storage, log }: Pick<Deps, 'db' | 'storage' | 'log'>,
  storage_keys: readonly string[],
): Promise<void> {
  if (storage_keys.length === 0) return;
  try {
    const referenced = await findReferencedKeys(db, storage_keys);
    const orphaned = new Set(storage_keys.filter((key) => !referenced.has(key)));
    await Promise.all([...orphaned].map((key) => storage.delete(key)));
    await deleteDerivatives({ db, storage, log }, [...orphaned]);
  } catch (error) {
    log.warn({ err: error, storage_keys }, 'could not delete stored files');
  }
}
