import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { withLongStatements } from '#server/platform/db/long-statements.ts';
import { MIGRATIONS_FOLDER } from '#server/platform/db/pending-migrations.ts';
import { isDatabaseEmpty } from './list-tables.ts';
import type { TableChunk } from './read-tables.ts';
import { writeTables } from './write-tables.ts';

/** The database has something in it; `message` is one sentence for the operator. */
export class DatabaseNotEmptyError extends Error {
  override readonly name = 'DatabaseNotEmptyError';
}

interface FillOptions {
  /** Gets the number of rows by table, and runs in the same transaction. */
  onFilled?: (tx: Tx, counts: ReadonlyMap<string, number>) => Promise<void>;
  migrationsFolder?: string;
}

/**
 * Creates the tables in an empty database as they were when the rows were read, inserts the rows, and applies the
 * migrations that have been added since: all in one transaction.
 * @param when identifies the newest migration of the rows
 * @throws {DatabaseNotEmptyError}
 */
export const fillDatabase = (
  db: Db,
  when: number,
  chunks: AsyncIterable<TableChunk>,
  { onFilled, migrationsFolder = MIGRATIONS_FOLDER }: FillOptions = {},
): Promise<void> =>
  withLongStatements(() =>
    db.transaction(async (tx) => {
      if (!(await isDatabaseEmpty(tx)))
        throw new DatabaseNotEmptyError('The database is not empty. Choose an empty one, which nothing is changed in.');
      const migrations = readMigrationFiles({ migrationsFolder });
      await prepareMigrations(tx);
      for (const migration of migrations) if (migration.folderMillis <= when) await applyMigration(tx, migration);
      const counts = await writeTables(tx, chunks);
      for (const migration of migrations) if (migration.folderMillis > when) await applyMigration(tx, migration);
      await onFilled?.(tx, counts);
    }),
  );

/** drizzle creates the same at start, in a transaction of its own. */
async function prepareMigrations(tx: Tx): Promise<void> {
  await tx.execute(sql`create schema if not exists drizzle`);
  await tx.execute(sql`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`);
}

async function applyMigration(tx: Tx, migration: ReturnType<typeof readMigrationFiles>[number]): Promise<void> {
  const { sql: statements, hash, folderMillis } = migration;
  for (const statement of statements) await tx.execute(sql.raw(statement));
  await tx.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`);
}
