import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { readRows } from './rows/list-tables.ts';
import { type SearchedKind, hasWords, searchTextsOf } from './schema/library-schema.ts';

/** So many ids are cheaper to look up than to walk past rows without the words. */
const MAX_HITS = 2_000;

interface WordSearch {
  kind: SearchedKind;
  /** Of the listed rows. */
  id: AnyColumn;
  /** See `toSearchQuery`; null matches nothing. */
  words: string | null;
  /** Of a list in the order of its ids, newest first: the newest hits may fill its page. `before`: an id, exclusive. */
  newestFirst?: { before?: string | undefined; count: number };
}

/**
 * Reads rows with words. Where few have them, all are read by their ids from the index of words, since the planner
 * expects any word in each 200th row and would walk a list of which none has it.
 * @param select reads rows that match a condition
 */
export async function findByWords<Row>(
  db: Db,
  { kind, id, words, newestFirst }: WordSearch,
  select: (condition: SQL) => Promise<Row[]>,
): Promise<Row[]> {
  if (words === null) return [];
  const hits = await readHits(db, kind, words, newestFirst?.before);
  const isComplete = hits.length <= MAX_HITS;
  if (!isComplete && !newestFirst) return select(hasWords(kind, id, words));
  const rows = hits.length === 0 ? [] : await select(isAnyOf(id, hits));
  return isComplete || rows.length >= (newestFirst?.count ?? 0) ? rows : select(hasWords(kind, id, words));
}

/** Reads the ids of all rows with words; null if these are many. */
export async function readFewHits(db: Db, kind: SearchedKind, words: string): Promise<string[] | null> {
  const hits = await readHits(db, kind, words, undefined);
  return hits.length <= MAX_HITS ? hits : null;
}

export const isAnyOf = (id: AnyColumn, ids: readonly string[]): SQL => sql`${id} = any(${sql.param([...ids])}::text[])`;

/** Reads the ids of the newest rows with the words, one more than are looked up. */
async function readHits(db: Db, kind: SearchedKind, words: string, before: string | undefined): Promise<string[]> {
  const { table, id } = searchTextsOf(kind);
  const rows = await readRows<{ id: string }>(
    db,
    sql`select ${id} as id from ${table} where words @@ ${words}::tsquery
      ${before === undefined ? sql`` : sql`and ${id} < ${before}`} order by ${id} desc limit ${MAX_HITS + 1}`,
  );
  return rows.map((row) => row.id);
}
