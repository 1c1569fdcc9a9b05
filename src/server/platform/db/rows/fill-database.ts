import { sql, type SQL } from 'drizzle-orm';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import { applyMigrations } from '#server/platform/db/migrate.ts';
import { MIGRATIONS_FOLDER } from '#server/platform/db/pending-migrations.ts';
import { isDatabaseEmpty, listTables, readRows, type TableShape } from './list-tables.ts';
import type { TableChunk } from './read-tables.ts';
import { decodeCopyText } from './copy-text.ts';

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
        throw new DatabaseNotEmptyError(
          'The database is not empty, and nothing in it was changed. Choose an empty one.',
        );
      await applyMigrations(tx, migrationsFolder, (each) => each <= when);
      const counts = await writeTables(tx, chunks);
      await applyMigrations(tx, migrationsFolder, (each) => each > when);
      await onFilled?.(tx, counts);
    }),
  );

const BATCH_ROWS = 2_000;

/**
 * Inserts rows as they are, without the triggers that number and hash them. The tables must be empty, and have the
 * columns of the rows.
 * @returns the number of rows by table
 */
async function writeTables(tx: Tx, chunks: AsyncIterable<TableChunk>): Promise<Map<string, number>> {
  await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
  const existing = new Map((await listTables(tx)).map((table) => [table.name, table]));
  const restoreTriggers = await disableTriggers(tx);
  const counts = new Map<string, number>();
  for await (const { table, text, row_count } of chunks) {
    assertSameColumns(table, existing.get(table.name));
    const rows = row_count === 0 ? [] : decodeCopyText(text, table.columns.length);
    if (rows.length !== row_count) throw new Error(`Rows of the table ${table.name} are missing.`);
    for (let start = 0; start < rows.length; start += BATCH_ROWS)
      await insertRows(tx, table, rows.slice(start, start + BATCH_ROWS));
    counts.set(table.name, (counts.get(table.name) ?? 0) + row_count);
  }
  await restoreTriggers();
  return counts;
}

function assertSameColumns(expected: TableShape, actual: TableShape | undefined): void {
  const describe = (table: TableShape | undefined) =>
    JSON.stringify(table?.columns.map(({ name, type }) => [name, type]).sort() ?? null);
  if (describe(expected) !== describe(actual))
    throw new Error(`The columns of the table ${expected.name} are not those of its rows.`);
}

/** One parameter for each column, whatever the number of rows. */
async function insertRows(tx: Tx, table: TableShape, rows: readonly (string | null)[][]): Promise<void> {
  const names = table.columns.map(({ name }) => sql.identifier(name));
  const values = table.columns.map(({ type }, index) => sql`f${sql.raw(String(index))}::${sql.raw(type)}`);
  const fields = table.columns.map((_column, index) => sql.raw(`f${index}`));
  const arrays: SQL[] = table.columns.map(
    (_column, index) => sql`${sql.param(rows.map((row) => row[index] ?? null))}::text[]`,
  );
  await tx.execute(sql`insert into ${sql.identifier(table.name)} (${join(names)})
    select ${join(values)} from unnest(${join(arrays)}) as rows (${join(fields)})`);
}

const join = (parts: readonly (SQL | ReturnType<typeof sql.identifier>)[]): SQL => sql.join([...parts], sql`, `);

/** Needs no more than ownership of the tables. Triggers that always fire only reject changes of rows. */
async function disableTriggers(tx: Tx): Promise<() => Promise<void>> {
  const triggers = await readRows<{ table: string; name: string }>(
    tx,
    sql`select c.relname as "table", t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and t.tgenabled = 'O'`,
  );
  const alter = async (action: 'enable' | 'disable') => {
    for (const { table, name } of triggers)
      await tx.execute(sql`alter table ${sql.identifier(table)} ${sql.raw(action)} trigger ${sql.identifier(name)}`);
  };
  await alter('disable');
  return () => alter('enable');
}
