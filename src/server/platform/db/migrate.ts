import type { PgliteDatabase } from 'drizzle-orm/pglite';
import { listPendingMigrations, MIGRATIONS_FOLDER } from './pending-migrations.ts';

/** Arbitrary, but used for nothing else. */
const MIGRATION_LOCK = 8_787_001;

/** @throws {NewerDatabaseError} if the database has migrations that this program lacks */
export async function migratePglite(db: PgliteDatabase, migrationsFolder = MIGRATIONS_FOLDER): Promise<void> {
  const { migrate } = await import('drizzle-orm/pglite/migrator');
  await listPendingMigrations(db, migrationsFolder);
  await migrate(db, { migrationsFolder });
}

/**
 * Migrates PostgreSQL. If several processes start at once, one migrates while the others wait.
 * @throws {NewerDatabaseError} if the database has migrations that this program lacks
 */
export async function migratePostgres(connectionString: string, migrationsFolder = MIGRATIONS_FOLDER): Promise<void> {
  const [{ Client }, { CONNECTION_CONFIG }, { drizzle }, { migrate }] = await Promise.all([
    import('pg'),
    import('./postgres-pool.ts'),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ]);
  // A migration may take long, so its statements have no time limit.
  const client = new Client({ ...CONNECTION_CONFIG, connectionString });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const db = drizzle({ client });
    await listPendingMigrations(db, migrationsFolder);
    await migrate(db, { migrationsFolder });
  } finally {
    // Ending the session releases the lock, even if an error left a transaction open.
    await client.end();
  }
}
