import type { Deps } from '#server/deps.ts';
import { deleteDerivatives } from './derivatives/delete-derivatives.ts';
import { findReferencedKeys } from './orphans.ts';

/**
 * Deletes stored files and their small copies, but for those that a row still names: several uploads of one file share
 * its bytes. Call it after the commit. What can't be deleted now is left to the sweeper.
 */
export async function deleteUnreferencedFiles(
  { db, storage, log }: Pick<Deps, 'db' | 'storage' | 'log'>,
  storage_keys: readonly string[],
): Promise<void> {
  if (storage_keys.length === 0) return;
  try {
    const named = await findReferencedKeys(db, storage_keys);
    const unnamed = new Set(storage_keys.filter((key) => !named.has(key)));
    await Promise.all([...unnamed].map((key) => storage.delete(key)));
    await deleteDerivatives({ db, storage, log }, [...unnamed]);
  } catch (error) {
    log.warn({ err: error, storage_keys }, 'files left behind');
  }
}
