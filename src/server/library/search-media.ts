import { type SQL, and, desc, gte, inArray, sql } from 'drizzle-orm';
import { readRows } from '#server/db/rows/list-tables.ts';
import type { Db } from '#server/db/db.ts';
import { generationSearchTexts, uploadSearchTexts } from '#server/db/library-schema.ts';
import { assets, uploads } from '#server/db/schema.ts';
import { PROMPT_EXCERPT_CHARACTERS } from '#server/db/select-prompt.ts';
import { type MediaPlace, type MediaRow, assetsIn, selectAssets, selectUploads, uploadsIn } from './media-rows.ts';

/** The newest items are scanned one by one, which is fast for frequent words. */
const RECENT_ITEMS = 1_000;
/** With so many matches among these, the next page has more; an index would have too many. */
const FREQUENT_ITEMS = 5;

export interface FoundMedia {
  rows: MediaRow[];
  /** The rows are complete from this time on; null: all of them, or as many as were asked for. */
  complete_since: Date | null;
}

const assetMatches = (words: string) => sql`select ${generationSearchTexts.generation_id} from ${generationSearchTexts}
    where ${generationSearchTexts.words} @@ ${words}::tsquery`;
const uploadMatches = (words: string) =>
  sql`select ${uploadSearchTexts.upload_id} from ${uploadSearchTexts} where ${uploadSearchTexts.words} @@ ${words}::tsquery`;

/** Matches media with the words, for lists that are short anyway. @param words see `toSearchQuery` */
export const matchesAsset = (words: string): SQL => sql`${assets.generation_id} in (${assetMatches(words)})`;
export const matchesUpload = (words: string): SQL => sql`${uploads.id} in (${uploadMatches(words)})`;

/** @param words see `toSearchQuery`; undefined for no search */
export async function searchAssets(
  db: Db,
  where: SQL | undefined,
  words: string | undefined,
  limit: number,
  place: MediaPlace,
): Promise<FoundMedia> {
  const prompt = PROMPT_EXCERPT_CHARACTERS;
  const select = (more?: SQL) => selectAssets(db, and(where, more), { limit, prompt, ...place });
  if (words === undefined) return { rows: await select(), complete_since: null };
  return searchRecentFirst(
    () => findRecentBoundary(db, assets, and(assetsIn(place), where)),
    (boundary) => select(and(boundary && gte(assets.created_at, boundary), matchesAsset(words))),
    async () => {
      const matches = assetMatches(words);
      const newest = await newestOutputs(
        db,
        sql`g.id = any(array(
        with matches as materialized (${matches}) select generation_id from matches order by 1 desc limit ${MAX_GENERATIONS + 1}))`,
        MAX_GENERATIONS,
      );
      const rows = await selectOutputs(newest, limit, select);
      if (rows) return rows;
      const of_matches = sql`${assets.generation_id} = any(array(${matches}))`;
      const ids = await selectNewestIds(db, assets, and(assetsIn(place), where, of_matches), limit);
      return select(inArray(assets.id, ids));
    },
    limit,
  );
}

/** Lists outputs of one person. @param person_id whose generations `where` leaves */
export async function listOutputsOf(
  db: Db,
  person_id: string,
  where: SQL | undefined,
  limit: number,
  place: MediaPlace,
): Promise<MediaRow[]> {
  const select = (more?: SQL) =>
    selectAssets(db, and(where, more), { limit, prompt: PROMPT_EXCERPT_CHARACTERS, ...place });
  for (const size of [FEW_PAGES * limit, MAX_GENERATIONS]) {
    // In the order of the index, which a condition with several keys does not have.
    const of_person = sql`g.id = any(array(select recent.id from api_keys as owner cross join lateral (
        select r.id from generations r where r.created_by = owner.id order by r.created_at desc, r.id desc limit ${size + 1}
      ) as recent where owner.person_id = ${person_id}))`;
    const newest = await newestOutputs(db, of_person, size);
    const rows = await selectOutputs(newest, limit, select);
    if (rows) return rows;
    // Who makes so much has enough among the newest of all.
    if (newest.is_dense) break;
  }
  return select();
}

/** @param words see `toSearchQuery`; undefined for no search */
export async function searchUploads(
  db: Db,
  where: SQL | undefined,
  words: string | undefined,
  limit: number,
  place: MediaPlace,
): Promise<FoundMedia> {
  const select = (more?: SQL) => selectUploads(db, and(where, more), limit, place);
  if (words === undefined) return { rows: await select(), complete_since: null };
  return searchRecentFirst(
    () => findRecentBoundary(db, uploads, and(uploadsIn(place), where)),
    (boundary) => select(and(boundary && gte(uploads.created_at, boundary), matchesUpload(words))),
    () => select(sql`${uploads.id} = any(array(${uploadMatches(words)}))`),
    limit,
  );
}

/** Generations whose outputs are looked up at once, and how many pages of them are looked up first. */
const MAX_GENERATIONS = 3_000;
const FEW_PAGES = 4;
/** Longer than a generation takes. Outputs that are newer than all of these are of the newest generations. */
const LONGEST_RUN_MS = 6 * 3_600_000;

interface NewestGenerations {
  ids: string[];
  /** Null: these are all. */
  since: Date | null;
  /** They were made within the time that one takes. */
  is_dense: boolean;
}

async function newestOutputs(db: Db, where: SQL, size: number): Promise<NewestGenerations> {
  const rows = await readRows<{ id: string; at: number }>(
    db,
    sql`select g.id, (extract(epoch from g.created_at) * 1000)::float8 as at from generations g where ${where}
      order by g.created_at desc, g.id desc limit ${size + 1}`,
  );
  const [[first], last] = [rows, rows[size]];
  return {
    ids: rows.slice(0, size).map(({ id }) => id),
    since: last ? new Date(last.at + LONGEST_RUN_MS) : null,
    is_dense: first !== undefined && last !== undefined && first.at < last.at + LONGEST_RUN_MS,
  };
}

/** Selects outputs of the newest generations; null if older ones may belong to the page. */
async function selectOutputs(
  { ids, since }: NewestGenerations,
  limit: number,
  select: (more?: SQL) => Promise<MediaRow[]>,
): Promise<MediaRow[] | null> {
  const of_these = sql`${assets.id} = any(array(
    select output.id from ${assets} as output where output.generation_id = any(${sql.param(ids)}::text[])))`;
  const rows = await select(and(of_these, since ? gte(assets.created_at, since) : undefined));
  return since === null || rows.length >= limit ? rows : null;
}

/** The database can’t estimate how many items match and how old they are, so one query would often be slow. */
async function searchRecentFirst(
  findBoundary: () => Promise<Date | undefined>,
  searchRecent: (boundary: Date | undefined) => Promise<MediaRow[]>,
  searchAll: () => Promise<MediaRow[]>,
  limit: number,
): Promise<FoundMedia> {
  const boundary = await findBoundary();
  const rows = await searchRecent(boundary);
  if (boundary === undefined || rows.length >= limit) return { rows, complete_since: null };
  if (rows.length >= FREQUENT_ITEMS) return { rows, complete_since: boundary };
  return { rows: await searchAll(), complete_since: null };
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
