import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseNotEmptyError } from '#server/platform/db/rows/fill-database.ts';

/**
 * Creates the embedded database in a folder beside it, which takes its place only when it is complete. The caller has
 * locked `dataDir`.
 * @throws {DatabaseNotEmptyError} if the data folder has an embedded database
 */
export async function createFolder<T extends { close(): Promise<void> }>(
  dataDir: string,
  open: (folder: string) => Promise<T>,
  fill: (database: T) => Promise<void>,
): Promise<void> {
  await assertNoFolder(dataDir);
  const incomplete = join(dataDir, 'database.new');
  await rm(incomplete, { recursive: true, force: true });
  try {
    const database = await open(incomplete);
    try {
      await fill(database);
    } finally {
      await database.close();
    }
    await rename(incomplete, join(dataDir, 'database.ready'));
  } catch (error) {
    await rm(incomplete, { recursive: true, force: true });
    throw error;
  }
  await placeReadyFolder(dataDir);
}

/** Puts a complete database in place, also after a crash between the two steps. */
export async function placeReadyFolder(dataDir: string): Promise<void> {
  const ready = join(dataDir, 'database.ready');
  if (existsSync(ready)) await rename(ready, join(dataDir, 'database'));
}

async function assertNoFolder(dataDir: string): Promise<void> {
  const files = await readdir(join(dataDir, 'database')).catch(() => []);
  if (files.length > 0 || existsSync(join(dataDir, 'database.ready')))
    throw new DatabaseNotEmptyError(`${dataDir} has a database already: set DATA_DIR to an empty folder.`);
}
