import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Another process holds the folder; `message` is one sentence for the operator. */
export class FolderLockedError extends Error {
  override readonly name = 'FolderLockedError';
}

export interface FolderLock {
  release(): void;
}

const RETRY_DELAY_MS = 100;

/**
 * Holds a folder for this process alone until it releases it or ends, however it ends. The embedded database has no lock
 * of its own: two processes on one folder silently lose rows.
 * @param patience_ms how long to wait for a process that is just ending
 * @throws {FolderLockedError}
 */
export async function lockFolder(folder: string, patience_ms = 3_000): Promise<FolderLock> {
  const { DatabaseSync } = await import('node:sqlite');
  const deadline = Date.now() + patience_ms;
  for (;;) {
    const file = new DatabaseSync(join(folder, 'lock'));
    try {
      // The system lets go of the file's lock when the process is gone, killed included.
      file.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;');
      return { release: () => file.close() };
    } catch (cause) {
      file.close();
      if (!isBusy(cause)) throw cause;
      if (Date.now() >= deadline) {
        throw new FolderLockedError(`Another Emulsion process uses the data folder ${folder}: stop it first.`, {
          cause,
        });
      }
      await sleep(RETRY_DELAY_MS);
    }
  }
}

const SQLITE_BUSY = 5;
const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
