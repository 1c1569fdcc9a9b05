import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { databaseStartError } from './database-start-error.ts';
import type { Db, Tx } from './db.ts';
import { listPendingMigrations, MIGRATIONS_FOLDER } from './pending-migrations.ts';
import type { PostgresEndpoint } from './postgres/postgres-endpoint.ts';

/** Arbitrary, but used for nothing else. */
const MIGRATION_LOCK = 8_787_001;

/**
 * Applies the pending migrations in one transaction, which others that start at the same time wait for.
 * @throws {NewerDatabaseError} if the database has migrations that this program lacks
 */
export async function migrate(db: Db, migrationsFolder = MIGRATIONS_FOLDER): Promise<void> {
  if ((await listPendingMigrations(db, migrationsFolder)).length === 0) return;
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`);
    const pending = new Set((await listPendingMigrations(tx, migrationsFolder)).map(({ when }) => when));
    await applyMigrations(tx, migrationsFolder, (when) => pending.has(when));
    // pg-boss creates it without a lock, and of two processes that start at once one would fail.
    await tx.execute(sql`create schema if not exists pgboss`);
  });
}

/** Migrates PostgreSQL. @throws {NewerDatabaseError} {ConfigError} */
export async function migratePostgres(endpoint: PostgresEndpoint, migrationsFolder = MIGRATIONS_FOLDER): Promise<void> {
  const [{ connectClient }, { drizzle }] = await Promise.all([
    import('./postgres/postgres-endpoint.ts'),
    import('drizzle-orm/node-postgres'),
  ]);
  const { sessionUrl } = endpoint;
  const target = sessionUrl === null ? endpoint : { url: sessionUrl, isPooled: false };
  const variable = target.url === endpoint.url ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  try {
    // A migration may take long, so its statements have no time limit.
    const client = await connectClient(target, { application_name: 'emulsion-migration' });
    try {
      await migrate(drizzle({ client }), migrationsFolder);
    } finally {
      await client.end();
    }
  } catch (error) {
    throw databaseStartError(variable, error);
  }
}

/** Applies migrations in the order of their journal. @param when identifies a migration */
export async function applyMigrations(
  tx: Tx,
  migrationsFolder: string,
  isWanted: (when: number) => boolean,
): Promise<void> {
  await tx.execute(sql`create schema if not exists drizzle`);
  await tx.execute(sql`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`);
  for (const { sql: statements, hash, folderMillis } of readMigrationFiles({ migrationsFolder })) {
    if (!isWanted(folderMillis)) continue;
    for (const statement of statements) await tx.execute(sql.raw(statement));
    await tx.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`,
    );
  }
}
