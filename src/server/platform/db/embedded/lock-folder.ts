import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Another process has locked the folder; `message` is one sentence for the operator. */
export class FolderLockedError extends Error {
  override readonly name = 'FolderLockedError';
}

export interface FolderLock {
  release(): void;
}

const RETRY_DELAY_MS = 100;

/**
 * Locks a folder for this process until it releases the lock or ends. The embedded database has no lock: two
 * processes in one folder silently lose rows.
 * @param patienceMs how long to wait for a process that is ending
 * @throws {FolderLockedError}
 */
export async function lockFolder(folder: string, patienceMs = 3_000): Promise<FolderLock> {
  const { DatabaseSync } = await import('node:sqlite');
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const file = new DatabaseSync(join(folder, 'lock'));
    try {
      // The operating system releases the lock when the process ends, even if it is killed.
      file.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE;');
      return { release: () => file.close() };
    } catch (cause) {
      file.close();
      if (!isBusy(cause)) throw cause;
      if (Date.now() >= deadline) {
        throw new FolderLockedError(`Another Emulsion process uses the data folder ${folder}. Stop it first.`, {
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
