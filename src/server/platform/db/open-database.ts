import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { PGlite } from '@electric-sql/pglite';
import type { Logger } from 'pino';
import type { Config } from '#server/platform/core/settings/config.ts';
import { restrictTree } from '#server/platform/core/settings/data-directories.ts';
import { createDirectory } from '#server/platform/core/settings/prepare-directory.ts';
import { placeReadyFolder } from './embedded/create-folder.ts';
import { guardPglite } from './embedded/guard-pglite.ts';
import type { Db, JobQueueDatabase } from './db.ts';
import { ensureStartSpace, ensureDiskReserve } from './embedded/disk-reserve.ts';
import { lockFolder } from './embedded/lock-folder.ts';
import { migrate, migratePostgres } from './migrate.ts';

export interface Database {
  db: Db;
  queue: JobQueueDatabase;
  /** A sentence for the operator. */
  notice?: string | null;
  /** Connections of its pool; absent for the embedded database, which has one. */
  connections?: () => { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

export interface UnmigratedDatabase extends Database {
  /** Applies pending migrations. @throws {NewerDatabaseError} if the database has some that this program lacks */
  migrate(): Promise<void>;
}

/** Another version of PostgreSQL wrote the embedded database; `message` is a sentence for the operator. */
export class FolderVersionError extends Error {
  override readonly name = 'FolderVersionError';
}

/** Version of PostgreSQL in the installed PGlite, which opens no folder of another one. */
const FOLDER_VERSION = '18';

/** Below the timeout of a statement, which would close the connection. */
const LOCK_TIMEOUT_MS = 5_000;
const POOLER_NOTICE =
  'DATABASE_URL is a pooler: set DATABASE_DIRECT_URL as well, and workers start jobs at once instead of within a second.';
const HOUR_MS = 3_600_000;
const RESERVE_CHECK_INTERVAL_MS = 300_000;

/**
 * Opens and migrates the database: the embedded one in `dataDir`, or PostgreSQL.
 * @throws {FolderLockedError} if another process uses the embedded database
 * @throws {FolderVersionError} if another version of PostgreSQL wrote the embedded database
 * @throws {DiskFullError} if there is too little space for the embedded database to start
 * @throws {NewerDatabaseError} if the database has migrations that this program lacks
 */
export const openDatabase = async (...options: Parameters<typeof openUnmigratedDatabase>): Promise<Database> =>
  migrateOrClose(await openUnmigratedDatabase(...options));

/** Opens the database as it is. @throws the errors of `openDatabase` */
export async function openUnmigratedDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseDirectUrl'>>,
  log: Pick<Logger, 'error' | 'warn'>,
): Promise<UnmigratedDatabase> {
  if (config.databaseUrl !== null) return openUnmigratedPostgres(config.databaseUrl, log, config.databaseDirectUrl);
  const { dataDir } = config;
  await createDirectory(dataDir);
  const lock = await lockFolder(dataDir);
  try {
    const notice = await ensureStartSpace(dataDir);
    await placeReadyFolder(dataDir);
    await assertFolderVersion(dataDir);
    const database = await openUnmigratedFolder(join(dataDir, 'database'), log);
    const ensureReserve = () =>
      ensureDiskReserve(dataDir).catch((error: unknown) =>
        log.warn({ err: error }, 'could not create the disk reserve'),
      );
    let pendingCheck = ensureReserve();
    const timer = setInterval(
      () => (pendingCheck = pendingCheck.then(ensureReserve)),
      RESERVE_CHECK_INTERVAL_MS,
    ).unref();
    return {
      ...database,
      notice,
      async close() {
        clearInterval(timer);
        await pendingCheck;
        await database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** @throws {FolderVersionError} Decision: Embedded database */
async function assertFolderVersion(dataDir: string): Promise<void> {
  const version = await readFile(join(dataDir, 'database/PG_VERSION'), 'utf8').catch(() => FOLDER_VERSION);
  if (version.trim() !== FOLDER_VERSION)
    throw new FolderVersionError(
      `The embedded database in ${dataDir} is of PostgreSQL ${version.trim()}, and this version of Emulsion has ${FOLDER_VERSION}: ` +
        'run `npm run admin -- backup FILE` with the version that wrote it, and restore the file here into an empty DATA_DIR.',
    );
}

/** Opens a folder of the embedded database; the caller has locked it. */
export async function openUnmigratedFolder(folder: string, log: Pick<Logger, 'error' | 'warn'>) {
  const database = await openUnmigratedPglite({ folder }, log);
  // PGlite ignores the umask of the process when it unpacks a new database.
  await restrictTree(folder, log);
  return database;
}

async function migrateOrClose<T extends UnmigratedDatabase>(database: T): Promise<T> {
  try {
    await database.migrate();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens and migrates PGlite in this process. @param source a folder, or in memory: empty or from a dump */
export const openPglite = async (...options: Parameters<typeof openUnmigratedPglite>): Promise<Database> =>
  migrateOrClose(await openUnmigratedPglite(...options));

async function openUnmigratedPglite(
  source: { folder: string } | { dump: Blob | null },
  log: Pick<Logger, 'error'>,
): Promise<UnmigratedDatabase> {
  // V8 may crash the process while it frees the database's compiled code (nodejs/node#64500). This costs a few
  // megabytes.
  setFlagsFromString('--no-wasm-code-gc');
  // Compiling every function that runs a few hundred times costs a start more than it saves; hot ones are still compiled.
  setFlagsFromString('--wasm-tiering-budget=100000000');
  const [{ PGlite }, { drizzle }] = await Promise.all([import('@electric-sql/pglite'), import('drizzle-orm/pglite')]);
  const lite = guardPglite(
    await PGlite.create({
      // Shared buffers are memory of this process; the default is 128 MB.
      postgresqlconf: ['shared_buffers = 16MB'],
      ...('folder' in source ? { dataDir: source.folder } : {}),
      ...('dump' in source && source.dump ? { loadDataDir: source.dump } : {}),
    }),
    crashProcess,
  );
  const db = drizzle({ client: lite });
  const timer = setInterval(() => {
    maintainPglite(lite).catch((error: unknown) => log.error({ err: error }, 'database maintenance failed'));
  }, HOUR_MS).unref();
  return {
    db,
    queue: { pglite: lite },
    migrate: () => migrate(db),
    async close() {
      clearInterval(timer);
      await lite.close();
    },
  };
}

/** Runs what PostgreSQL does in the background: PGlite has neither autovacuum nor a checkpointer. */
export async function maintainPglite(lite: Pick<PGlite, 'exec'>): Promise<void> {
  // Statements sent together form one transaction, and neither of these may run in one.
  await lite.exec('VACUUM (ANALYZE)');
  await lite.exec('CHECKPOINT');
}

/** Only a new process can open the database again: the connections here belong to the broken instance. */
function crashProcess(cause: unknown): void {
  setImmediate(() => {
    throw new Error('The embedded database stopped, probably because its disk is full. Start the service again.', {
      cause,
    });
  });
}

/** Opens and migrates PostgreSQL 15 or newer. */
export const openPostgres = async (...options: Parameters<typeof openUnmigratedPostgres>): Promise<Database> =>
  migrateOrClose(await openUnmigratedPostgres(...options));

/** Opens PostgreSQL as it is. @throws {ConfigError} if it can't be used */
export async function openUnmigratedPostgres(
  url: string,
  log: Pick<Logger, 'warn'>,
  directUrl: string | null = null,
): Promise<UnmigratedDatabase> {
  const [{ openPool }, { inspectPostgres }, { drizzle }] = await Promise.all([
    import('./postgres/postgres-pool.ts'),
    import('./postgres/postgres-endpoint.ts'),
    import('drizzle-orm/node-postgres'),
  ]);
  const endpoint = await inspectPostgres(url, directUrl);
  const pool = openPool({ endpoint, application_name: 'emulsion', max: 16, lockTimeoutMs: LOCK_TIMEOUT_MS, log });
  return {
    db: drizzle({ client: pool }),
    notice: endpoint.sessionUrl === null ? POOLER_NOTICE : null,
    queue: { postgres: endpoint },
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    migrate: () => migratePostgres(endpoint),
    close: () => pool.end(),
  };
}
