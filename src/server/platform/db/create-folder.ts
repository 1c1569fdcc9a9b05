import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './open-database.ts';
import { DatabaseNotEmptyError } from './rows/fill-database.ts';

/**
 * Creates the embedded database in a folder beside it, which takes its place only when it is complete. The caller has
 * locked `data_dir`.
 * @throws {DatabaseNotEmptyError} if the data folder has an embedded database
 */
export async function createFolder(
  data_dir: string,
  open: (folder: string) => Promise<Database>,
  fill: (database: Database) => Promise<void>,
): Promise<void> {
  await assertNoFolder(data_dir);
  const incomplete = join(data_dir, 'database.new');
  await rm(incomplete, { recursive: true, force: true });
  try {
    const database = await open(incomplete);
    try {
      await fill(database);
    } finally {
      await database.close();
    }
    await rename(incomplete, join(data_dir, 'database.ready'));
  } catch (error) {
    await rm(incomplete, { recursive: true, force: true });
    throw error;
  }
  await placeReadyFolder(data_dir);
}

/** Puts a complete database in place, also after a crash between the two steps. */
export async function placeReadyFolder(data_dir: string): Promise<void> {
  const ready = join(data_dir, 'database.ready');
  if (existsSync(ready)) await rename(ready, join(data_dir, 'database'));
}

async function assertNoFolder(data_dir: string): Promise<void> {
  const files = await readdir(join(data_dir, 'database')).catch(() => []);
  if (files.length > 0 || existsSync(join(data_dir, 'database.ready')))
    throw new DatabaseNotEmptyError(`${data_dir} has a database already: set DATA_DIR to an empty folder.`);
}
