import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';

export const MIGRATIONS_FOLDER = join(import.meta.dirname, 'migrations');

/** `when` identifies and orders migrations: the database stores it for each that was applied. */
interface Migration {
  tag: string;
  when: number;
}

/** The database has migrations that this program does not; `message` is one sentence for the operator. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';

  constructor() {
    super('The database was upgraded by a newer version of Emulsion: install that version, or restore a backup.');
  }
}

export async function readJournal(folder = MIGRATIONS_FOLDER): Promise<readonly Migration[]> {
  const text = await readFile(join(folder, 'meta/_journal.json'), 'utf8');
  return (JSON.parse(text) as { entries: Migration[] }).entries;
}

/**
 * Lists the migrations that the database lacks, in their order, and changes nothing.
 * @throws {NewerDatabaseError} if the program lacks the newest one of the database
 */
export async function listPendingMigrations(db: Pick<Db, 'execute'>, folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const journal = await readJournal(folder);
  const applied = await readLastApplied(db);
  if (applied > (journal.at(-1)?.when ?? 0)) throw new NewerDatabaseError();
  return journal.filter(({ when }) => when > applied);
}

/**
 * Returns the newest migration of the database.
 * @throws {NewerDatabaseError} if this program lacks it
 */
export const readNewestMigration = async (db: Pick<Db, 'execute'>): Promise<Migration> =>
  findMigration(await readLastApplied(db));

/** @throws {NewerDatabaseError} if this program lacks the migration */
export async function findMigration(when: number): Promise<Migration> {
  const migration = (await readJournal()).find((entry) => entry.when === when);
  if (!migration) throw new NewerDatabaseError();
  return { tag: migration.tag, when };
}

/** Returns the time that identifies the newest migration of the database; 0: it has none. */
async function readLastApplied(db: Pick<Db, 'execute'>): Promise<number> {
  const table = sql`select to_regclass('drizzle.__drizzle_migrations') is not null as value`;
  if (!(await readValue(db, table))) return 0;
  return Number(await readValue(db, sql`select max(created_at) as value from drizzle.__drizzle_migrations`));
}

async function readValue(db: Pick<Db, 'execute'>, query: SQL): Promise<unknown> {
  const { rows } = (await db.execute(query)) as { rows: { value: unknown }[] };
  return rows[0]?.value;
}
