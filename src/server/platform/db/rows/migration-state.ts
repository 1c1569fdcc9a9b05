import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { Tx } from '#server/platform/db/db.ts';
import {
  MIGRATIONS_FOLDER,
  NewerDatabaseError,
  readJournal,
  readLastApplied,
} from '#server/platform/db/pending-migrations.ts';

/** Which migrations a database has: the newest one, by its tag and the time that identifies it. */
export interface MigrationState {
  tag: string;
  when: number;
}

/** @throws {NewerDatabaseError} if the database has migrations that this program lacks */
export async function readMigrationState(tx: Pick<Tx, 'execute'>): Promise<MigrationState> {
  const when = await readLastApplied(tx);
  return findMigration(when);
}

/** @throws {NewerDatabaseError} if this program lacks the migration */
export async function findMigration(when: number): Promise<MigrationState> {
  const migration = (await readJournal()).find((entry) => entry.when === when);
  if (!migration) throw new NewerDatabaseError();
  return { tag: migration.tag, when };
}

/**
 * Applies the migrations after one state and up to another, in the caller's transaction. It does what drizzle does at
 * start, which takes a transaction of its own.
 */
export async function applyMigrations(tx: Tx, { after, until }: { after: number; until: number }): Promise<void> {
  await tx.execute(sql`create schema if not exists drizzle`);
  await tx.execute(sql`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint)`);
  for (const { sql: statements, hash, folderMillis } of readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER })) {
    if (folderMillis <= after || folderMillis > until) continue;
    for (const statement of statements) await tx.execute(sql.raw(statement));
    await tx.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`,
    );
  }
}
