import { join } from 'node:path';
import type { PgliteDatabase } from 'drizzle-orm/pglite';
import type { Pool } from 'pg';
import type * as schema from './schema.ts';

const FOLDER = { migrationsFolder: join(import.meta.dirname, 'migrations') };
/** Any number, but ours alone. */
const LOCK = 8_787_001;

/** Brings the embedded database up to date. */
export async function migrateEmbedded(db: PgliteDatabase<typeof schema>): Promise<void> {
  const { migrate } = await import('drizzle-orm/pglite/migrator');
  await migrate(db, FOLDER);
}

/** Brings PostgreSQL up to date; of several processes that start at once, one does it and the others wait. */
export async function migrateShared(pool: Pool): Promise<void> {
  const [{ drizzle }, { migrate }] = await Promise.all([
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ]);
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await migrate(drizzle({ client }), FOLDER);
  } finally {
    // Ending the session gives the lock back, even where an error left a transaction open.
    client.release(true);
  }
}
