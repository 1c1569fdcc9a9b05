import { join } from 'node:path';
import type { PgliteDatabase } from 'drizzle-orm/pglite';
import type { Pool } from 'pg';

const MIGRATION_CONFIG = { migrationsFolder: join(import.meta.dirname, 'migrations') };
/** Arbitrary, but used for nothing else. */
const MIGRATION_LOCK = 8_787_001;

export async function migratePglite(db: PgliteDatabase): Promise<void> {
  const { migrate } = await import('drizzle-orm/pglite/migrator');
  await migrate(db, MIGRATION_CONFIG);
}

/** Migrates PostgreSQL. If several processes start at once, one migrates while the others wait. */
export async function migratePostgres(pool: Pool): Promise<void> {
  const [{ drizzle }, { migrate }] = await Promise.all([
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ]);
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await migrate(drizzle({ client }), MIGRATION_CONFIG);
  } finally {
    // Ending the session releases the lock, even if an error left a transaction open.
    client.release(true);
  }
}
