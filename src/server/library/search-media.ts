import { type SQL, and, desc, gte, inArray, sql } from 'drizzle-orm';
import type { Db } from '#server/db/db.ts';
import { generationSearchTexts, uploadSearchTexts } from '#server/db/library-schema.ts';
import { assets, uploads } from '#server/db/schema.ts';
import {
  PROMPT_EXCERPT_CHARACTERS,
  LISTED_ASSETS,
  LISTED_UPLOADS,
  type MediaRow,
  selectAssets,
  selectUploads,
} from './media-rows.ts';

/** Among so many of the newest, words that most items have are looked for one item after another. */
const RECENT_ITEMS = 1_000;

/** @param words see `toSearchQuery`; undefined: any */
export function searchAssets(
  db: Db,
  where: SQL | undefined,
  words: string | undefined,
  limit: number,
): Promise<MediaRow[]> {
  const select = (more?: SQL) => selectAssets(db, and(where, more), { limit, prompt: PROMPT_EXCERPT_CHARACTERS });
  if (words === undefined) return select();
  const found = sql`select ${generationSearchTexts.generation_id} from ${generationSearchTexts}
    where ${generationSearchTexts.words} @@ ${words}::tsquery`;
  return searchRecentFirst(
    () => findRecentBoundary(db, assets, and(LISTED_ASSETS, where)),
    (edge) => select(and(edge && gte(assets.created_at, edge), sql`${assets.generation_id} in (${found})`)),
    async () => {
      const ids = await selectNewestIds(
        db,
        assets,
        and(LISTED_ASSETS, where, sql`${assets.generation_id} = any(array(${found}))`),
        limit,
      );
      return select(inArray(assets.id, ids));
    },
    limit,
  );
}

/** @param words see `toSearchQuery`; undefined: any */
export function searchUploads(
  db: Db,
  where: SQL | undefined,
  words: string | undefined,
  limit: number,
): Promise<MediaRow[]> {
  const select = (more?: SQL) => selectUploads(db, and(where, more), limit);
  if (words === undefined) return select();
  const found = sql`select ${uploadSearchTexts.upload_id} from ${uploadSearchTexts} where ${uploadSearchTexts.words} @@ ${words}::tsquery`;
  return searchRecentFirst(
    () => findRecentBoundary(db, uploads, and(LISTED_UPLOADS, where)),
    (edge) => select(and(edge && gte(uploads.created_at, edge), sql`${uploads.id} in (${found})`)),
    () => select(sql`${uploads.id} = any(array(${found}))`),
    limit,
  );
}

/**
 * Whether few or many items have the words, and whether old ones or new, the database can only guess. So the newest are
 * looked at first; what is not found there is looked up by the words, and only then put in order.
 */
async function searchRecentFirst(
  findEdge: () => Promise<Date | undefined>,
  near: (edge: Date | undefined) => Promise<MediaRow[]>,
  far: () => Promise<MediaRow[]>,
  limit: number,
): Promise<MediaRow[]> {
  const edge = await findEdge();
  const rows = await near(edge);
  return edge === undefined || rows.length >= limit ? rows : far();
}

/** When the last of the near ones was made; undefined where there are no others. */
async function findRecentBoundary(
  db: Db,
  table: typeof assets | typeof uploads,
  where: SQL | undefined,
): Promise<Date | undefined> {
  const [row] = await db
    .select({ created_at: table.created_at })
    .from(table)
    .where(where)
    .orderBy(desc(table.created_at), desc(table.id))
    .offset(RECENT_ITEMS)
    .limit(1);
  return row?.created_at;
}

/** Ids alone, so that nothing else is read of those that the page does not hold. */
async function selectNewestIds(db: Db, table: typeof assets, where: SQL | undefined, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .where(where)
    .orderBy(desc(table.created_at), desc(table.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}
