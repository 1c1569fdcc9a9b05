import { type SQL, and, desc, gte, inArray, sql } from 'drizzle-orm';
import type { Db } from '#server/db/db.ts';
import { generationSearchTexts, uploadSearchTexts } from '#server/db/library-schema.ts';
import { assets, uploads } from '#server/db/schema.ts';
import { PROMPT_EXCERPT_CHARACTERS } from '#server/db/select-prompt.ts';
import { type MediaPlace, type MediaRow, assetsIn, selectAssets, selectUploads, uploadsIn } from './media-rows.ts';

/** The newest items are scanned one by one, which is fast for frequent words. */
const RECENT_ITEMS = 1_000;

const assetMatches = (words: string) => sql`select ${generationSearchTexts.generation_id} from ${generationSearchTexts}
    where ${generationSearchTexts.words} @@ ${words}::tsquery`;
const uploadMatches = (words: string) =>
  sql`select ${uploadSearchTexts.upload_id} from ${uploadSearchTexts} where ${uploadSearchTexts.words} @@ ${words}::tsquery`;

/** Matches media with the words, for lists that are short anyway. @param words see `toSearchQuery` */
export const matchesAsset = (words: string): SQL => sql`${assets.generation_id} in (${assetMatches(words)})`;
export const matchesUpload = (words: string): SQL => sql`${uploads.id} in (${uploadMatches(words)})`;

/** @param words see `toSearchQuery`; undefined for no search */
export function searchAssets(
  db: Db,
  where: SQL | undefined,
  words: string | undefined,
  limit: number,
  place: MediaPlace,
): Promise<MediaRow[]> {
  const prompt = PROMPT_EXCERPT_CHARACTERS;
  const select = (more?: SQL) => selectAssets(db, and(where, more), { limit, prompt, ...place });
  if (words === undefined) return select();
  const matches = assetMatches(words);
  return searchRecentFirst(
    () => findRecentBoundary(db, assets, and(assetsIn(place), where)),
    (boundary) => select(and(boundary && gte(assets.created_at, boundary), matchesAsset(words))),
    async () => {
      const ids = await selectNewestIds(
        db,
        assets,
        and(assetsIn(place), where, sql`${assets.generation_id} = any(array(${matches}))`),
        limit,
      );
      return select(inArray(assets.id, ids));
    },
    limit,
  );
}

/** @param words see `toSearchQuery`; undefined for no search */
export function searchUploads(
  db: Db,
  where: SQL | undefined,
  words: string | undefined,
  limit: number,
  place: MediaPlace,
): Promise<MediaRow[]> {
  const select = (more?: SQL) => selectUploads(db, and(where, more), limit, place);
  if (words === undefined) return select();
  return searchRecentFirst(
    () => findRecentBoundary(db, uploads, and(uploadsIn(place), where)),
    (boundary) => select(and(boundary && gte(uploads.created_at, boundary), matchesUpload(words))),
    () => select(sql`${uploads.id} = any(array(${uploadMatches(words)}))`),
    limit,
  );
}

/** The database can’t estimate how many items match and how old they are, so one query would often be slow. */
async function searchRecentFirst(
  findBoundary: () => Promise<Date | undefined>,
  searchRecent: (boundary: Date | undefined) => Promise<MediaRow[]>,
  searchAll: () => Promise<MediaRow[]>,
  limit: number,
): Promise<MediaRow[]> {
  const boundary = await findBoundary();
  const rows = await searchRecent(boundary);
  return boundary === undefined || rows.length >= limit ? rows : searchAll();
}

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

async function selectNewestIds(db: Db, table: typeof assets, where: SQL | undefined, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .where(where)
    .orderBy(desc(table.created_at), desc(table.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}
