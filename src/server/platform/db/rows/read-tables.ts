import { sql } from 'drizzle-orm';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { withLongStatements } from '#server/platform/db/postgres/long-statements.ts';
import { encodeCopyLine } from './copy-text.ts';
import { listTables, readRows, type TableShape } from './list-tables.ts';

/** Part of the rows of one table. */
export interface TableChunk {
  table: TableShape;
  row_count: number;
  /** In the text format of COPY; empty: the table has no rows. */
  text: string;
}

const CHUNK_CHARACTERS = 4_194_304;
const FETCH_CHARACTERS = 1_048_576;
const MAX_FETCH_ROWS = 2_000;
const CURSOR = sql.identifier('backup_rows');

/**
 * Runs work on one snapshot of the database, which others go on changing; with the embedded database they wait.
 * Memory does not grow with the tables.
 */
export const inSnapshot = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  withLongStatements(() =>
    db.transaction(
      async (tx) => {
        // The reader of the rows may be slower than the database.
        await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`);
        return work(tx);
      },
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    ),
  );

/** Reads every table in the order in which they can be inserted. Call it in `inSnapshot`. */
export async function* readTables(tx: Tx): AsyncGenerator<TableChunk> {
  for (const table of await listTables(tx)) yield* readTable(tx, table);
}

async function* readTable(tx: Tx, table: TableShape): AsyncGenerator<TableChunk> {
  const columns = table.columns.map(({ name }) => sql`${sql.identifier(name)}::text`);
  const query = sql`select ${sql.join(columns, sql`, `)} from ${sql.identifier(table.name)}`;
  await tx.execute(sql`declare ${CURSOR} no scroll cursor for ${query}`);
  let [text, row_count, yielded, fetch_count] = ['', 0, false, 100];
  for (;;) {
    const rows = await readRows<Record<string, string | null>>(
      tx,
      sql`fetch forward ${sql.raw(String(fetch_count))} from ${CURSOR}`,
    );
    const lines = rows.map((row) => encodeCopyLine(table.columns.map(({ name }) => row[name] ?? null))).join('');
    text += lines;
    row_count += rows.length;
    const isLast = rows.length < fetch_count;
    if (text.length >= CHUNK_CHARACTERS || (isLast && (row_count > 0 || !yielded))) {
      yield { table, row_count, text };
      [text, row_count, yielded] = ['', 0, true];
    }
    if (isLast) break;
    fetch_count = fitRows(lines.length / rows.length);
  }
  await tx.execute(sql`close ${CURSOR}`);
}

/** Rows with long inputs are fetched a few at a time. */
const fitRows = (charactersPerRow: number): number =>
  Math.max(1, Math.min(MAX_FETCH_ROWS, Math.floor(FETCH_CHARACTERS / charactersPerRow)));
