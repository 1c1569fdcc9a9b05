import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './open-database.ts';
import { DatabaseNotEmptyError } from './rows/fill-database.ts';

interface ReplacedFolder {
  /** Where the previous folder is kept; null: there was none. */
  kept: string | null;
}

/**
 * Creates the embedded database anew: in a folder beside it, which takes its place only when it is complete. The
 * caller has locked `data_dir`.
 * @param keep_as name of the folder in which the previous database stays
 */
export async function replaceFolder(
  data_dir: string,
  keep_as: string,
  open: (folder: string) => Promise<Database>,
  fill: (database: Database) => Promise<void>,
): Promise<ReplacedFolder> {
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
  return finishReplacement(data_dir, keep_as);
}

/** Puts a complete database in place, also after a crash between the two steps. */
export async function finishReplacement(data_dir: string, keep_as: string): Promise<ReplacedFolder> {
  const [folder, ready] = [join(data_dir, 'database'), join(data_dir, 'database.ready')];
  if (!existsSync(ready)) return { kept: null };
  const kept = existsSync(folder) && (await readdir(folder)).length > 0 ? join(data_dir, keep_as) : null;
  if (kept !== null) await rename(folder, kept);
  await rename(ready, folder);
  return { kept };
}

/** @throws {DatabaseNotEmptyError} if the data folder has an embedded database */
export async function assertNoFolder(data_dir: string): Promise<void> {
  const files = await readdir(join(data_dir, 'database')).catch(() => []);
  if (files.length > 0 || existsSync(join(data_dir, 'database.ready')))
    throw new DatabaseNotEmptyError(`${data_dir} has a database already: set DATA_DIR to an empty folder.`);
}
