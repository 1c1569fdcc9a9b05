import type { Db, Tx } from '#server/platform/db/db.ts';
import { withLongStatements } from '#server/platform/db/long-statements.ts';
import { readJournal } from '#server/platform/db/pending-migrations.ts';
import { isDatabaseEmpty } from './list-tables.ts';
import { applyMigrations } from './migration-state.ts';
import type { TableChunk } from './read-tables.ts';
import { writeTables } from './write-tables.ts';

/** The database has something in it; `message` is one sentence for the operator. */
export class DatabaseNotEmptyError extends Error {
  override readonly name = 'DatabaseNotEmptyError';
}

/**
 * Creates the tables in an empty database as they were when the rows were read, inserts the rows, and applies the
 * migrations that have been added since: all in one transaction.
 * @param when identifies the newest migration of the rows
 * @returns the number of rows by table
 * @throws {DatabaseNotEmptyError}
 */
export const fillDatabase = (
  db: Db,
  when: number,
  chunks: AsyncIterable<TableChunk>,
  onFilled: (tx: Tx, counts: ReadonlyMap<string, number>) => Promise<void> = async () => undefined,
): Promise<void> =>
  withLongStatements(() =>
    db.transaction(async (tx) => {
      if (!(await isDatabaseEmpty(tx)))
        throw new DatabaseNotEmptyError('The database is not empty. Choose an empty one, which nothing is changed in.');
      await applyMigrations(tx, { after: 0, until: when });
      const counts = await writeTables(tx, chunks);
      const newest = (await readJournal()).at(-1)?.when ?? when;
      await applyMigrations(tx, { after: when, until: newest });
      await onFilled(tx, counts);
    }),
  );
