import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import type { Config } from '#server/core/config.ts';
import { restrictTree } from '#server/core/data-directories.ts';
import { guardPglite } from './guard-pglite.ts';
import type { Db, JobQueueDatabase } from './db.ts';
import { ensureStartSpace, ensureDiskReserve } from './disk-reserve.ts';
import { lockFolder } from './lock-folder.ts';
import { migratePglite, migratePostgres } from './migrate.ts';
import * as schema from './schema.ts';
import { maintainPglite } from './maintain-pglite.ts';

export interface Database {
  db: Db;
  /** How the job queue reaches the same database. */
  queue: JobQueueDatabase;
  /** What the operator should know, as a sentence. */
  notice?: string | null;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const RESERVE_CHECK_INTERVAL_MS = 300_000;

/**
 * Opens the database, its schema brought up to date: the embedded one in `data_dir`, or PostgreSQL.
 * @throws {FolderLockedError} where another process has the embedded one
 * @throws {DiskFullError} where the disk has no space left for the embedded one to start
 */
export async function openDatabase(
  config: Pick<Config, 'database_url' | 'data_dir'>,
  log: Pick<Logger, 'error' | 'warn'>,
): Promise<Database> {
  if (config.database_url !== null) return openPostgres(config.database_url, log);
  const { data_dir } = config;
  await mkdir(data_dir, { recursive: true });
  const lock = await lockFolder(data_dir);
  try {
    const notice = await ensureStartSpace(data_dir);
    const folder = join(data_dir, 'database');
    const database = await openPglite({ folder }, log);
    // PGlite unpacks a new database without regard to the mask of the process.
    await restrictTree(folder, log);
    const keep = () => ensureDiskReserve(data_dir).catch((error: unknown) => log.warn({ err: error }, 'disk reserve'));
    let keeping = keep();
    const timer = setInterval(() => (keeping = keeping.then(keep)), RESERVE_CHECK_INTERVAL_MS).unref();
    return {
      ...database,
      notice,
      async close() {
        clearInterval(timer);
        await keeping;
        await database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * PGlite in this process.
 * @param source a folder, or in memory: empty, or from a dump of another
 */
export async function openPglite(
  source: { folder: string } | { dump: Blob | null },
  log: Pick<Logger, 'error'>,
): Promise<Database> {
  // V8 may end the process where it frees compiled code of the database (nodejs/node#64500): a few megabytes stay instead.
  setFlagsFromString('--no-wasm-code-gc');
  const [{ PGlite }, { drizzle }] = await Promise.all([import('@electric-sql/pglite'), import('drizzle-orm/pglite')]);
  const lite = guardPglite(
    await PGlite.create({
      // The default of 128 MB of shared buffers is memory of this very process.
      postgresqlconf: ['shared_buffers = 16MB'],
      ...('folder' in source ? { dataDir: source.folder } : {}),
      ...('dump' in source && source.dump ? { loadDataDir: source.dump } : {}),
    }),
    crashProcess,
  );
  const db = drizzle({ client: lite, schema });
  await migratePglite(db);
  const timer = setInterval(() => {
    maintainPglite(lite).catch((error: unknown) => log.error({ err: error }, 'database upkeep'));
  }, HOUR_MS).unref();
  return {
    db,
    queue: { pglite: lite },
    async close() {
      clearInterval(timer);
      await lite.close();
    },
  };
}

/** A new process can open the database again, this one can't: its connections belong to the broken one. */
function crashProcess(cause: unknown): void {
  setImmediate(() => {
    throw new Error('The embedded database stopped, probably because its disk is full. Start the service again.', {
      cause,
    });
  });
}

/** PostgreSQL 15 or newer. */
export async function openPostgres(connection_string: string, log: Pick<Logger, 'error'>): Promise<Database> {
  const [{ Pool }, { drizzle }] = await Promise.all([import('pg'), import('drizzle-orm/node-postgres')]);
  const pool = new Pool({
    connectionString: connection_string,
    max: 16,
    connectionTimeoutMillis: 5_000,
    application_name: 'emulsion',
  });
  // An idle connection that the server ends must not end this process.
  pool.on('error', (error) => log.error({ err: error }, 'database connection'));
  try {
    await migratePostgres(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const db = drizzle({ client: pool, schema });
  return { db, queue: { connection_string }, close: () => pool.end() };
}
