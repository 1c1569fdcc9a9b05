import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import type { Db } from './db.ts';
import type { Database } from './open-database.ts';
import { finishReplacement, replaceFolder } from './replace-folder.ts';
import { fillDatabase } from './rows/fill-database.ts';
import { readMigrationState } from './rows/migration-state.ts';
import { inSnapshot, readTables } from './rows/read-tables.ts';

/** Version of PostgreSQL in the installed PGlite. Its folders can't be opened by another one. */
export const FOLDER_VERSION = '18';

/** The embedded database belongs to another version of PostgreSQL; `message` is a sentence for the operator. */
export class FolderVersionError extends Error {
  override readonly name = 'FolderVersionError';
}

/**
 * Copies an embedded database of an earlier PostgreSQL into a new folder, with the PGlite that wrote it. The earlier
 * folder is kept. Decision: Embedded database
 * @param openEngine loads the PGlite of a version; null if it is not installed
 * @returns a sentence for the operator if it was upgraded
 * @throws {FolderVersionError}
 */
export async function upgradeFolder(
  data_dir: string,
  open: (folder: string) => Promise<Database>,
  openEngine: (version: string) => Promise<typeof PGlite | null> = loadEngine,
): Promise<string | null> {
  const folder = join(data_dir, 'database');
  const version = (await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => FOLDER_VERSION)).trim();
  const keep_as = `database-${version}`;
  const finished = await finishReplacement(data_dir, keep_as);
  if (finished.kept !== null) return describeUpgrade(version, finished.kept);
  if (version === FOLDER_VERSION) return null;
  if (Number(version) > Number(FOLDER_VERSION))
    throw new FolderVersionError(
      `The embedded database in ${data_dir} was upgraded by a newer version of Emulsion: install that version, or restore a backup.`,
    );
  const Engine = await openEngine(version);
  if (!Engine)
    throw new FolderVersionError(
      `The embedded database in ${data_dir} is of PostgreSQL ${version}, and this version has ${FOLDER_VERSION}: ` +
        `start the version of Emulsion before it, run \`npm run admin -- backup FILE\` there, and restore the file here.`,
    );
  const { kept } = await replaceFolder(data_dir, keep_as, open, (target) => copyFolder(Engine, folder, target.db));
  return describeUpgrade(version, kept ?? folder);
}

async function copyFolder(Engine: typeof PGlite, folder: string, target: Db): Promise<void> {
  const { drizzle } = await import('drizzle-orm/pglite');
  const lite = await Engine.create({ dataDir: folder });
  try {
    await inSnapshot(drizzle({ client: lite }), async (snapshot) =>
      fillDatabase(target, (await readMigrationState(snapshot)).when, readTables(snapshot)),
    );
  } finally {
    await lite.close();
  }
}

const describeUpgrade = (version: string, kept: string): string =>
  `The embedded database was upgraded from PostgreSQL ${version} to ${FOLDER_VERSION}. The earlier one is kept in ${kept}: ` +
  'delete it when everything works.';

/** Earlier engines are installed under a name of their own: `"pglite-17": "npm:@electric-sql/pglite@0.4.6"`. */
async function loadEngine(version: string): Promise<typeof PGlite | null> {
  if (!/^\d{1,3}$/.test(version)) return null;
  try {
    return ((await import(`pglite-${version}`)) as { PGlite: typeof PGlite }).PGlite;
  } catch {
    return null;
  }
}
