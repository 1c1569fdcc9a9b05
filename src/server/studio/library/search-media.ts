import { type SQL, and, desc, gte, inArray, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/db.ts';
import { mediaLabels } from '#server/platform/db/collection-schema.ts';
import { generationSearchTexts, uploadSearchTexts } from '#server/platform/db/library-schema.ts';
import { assets, uploads } from '#server/platform/db/schema.ts';
import { PROMPT_EXCERPT_CHARACTERS } from '#server/platform/db/select-prompt.ts';
import { type Candidates, completeSince, generationsOf, generationsWith, mediaWith } from './asset-candidates.ts';
import { type MediaPlace, type MediaRow, assetsIn, selectAssets, selectUploads, uploadsIn } from './media-rows.ts';

/** The newest items are scanned one by one, which is fast for frequent words and labels. */
const RECENT_ITEMS = 1_000;
/** With so many matches among these, the next page has more; an index would have too many. */
const FREQUENT_ITEMS = 5;
/** Candidates of an index that are looked up: a few pages first. */
const FEW_PAGES = 4;
const MAX_CANDIDATES = 1_000;

export interface FoundMedia {
  rows: MediaRow[];
  /** The rows are complete from this time on; null: all of them, or as many as were asked for. */
  complete_since: Date | null;
}

export interface MediaFilters {
  /** Conditions that an index has. */
  listed: SQL | undefined;
  /** All others but words: of a person, with a label, of another kind. */
  more: SQL | undefined;
  /** Whether media are of two kinds, which may exclude each other. */
  is_combined: boolean;
}

export interface MediaSearch extends MediaFilters, MediaPlace {
  organization_id: string;
  /** See `toSearchQuery`; undefined for no search. */
  words: string | undefined;
  /** Whose outputs `more` leaves; null: everyone's. */
  person_id: string | null;
  /** A label of `more` that many media have. */
  frequent_label: string | undefined;
  /** Where the page starts. */
  until: Date | undefined;
  limit: number;
}

/** Looked up row by row, since the planner can’t tell how many match. */
const wordsOf = (words: string): SQL =>
  sql`(select ${generationSearchTexts.words} @@ ${words}::tsquery from ${generationSearchTexts}
    where ${generationSearchTexts.generation_id} = ${assets.generation_id} offset 0)`;
const uploadMatches = (words: string) =>
  sql`select ${uploadSearchTexts.upload_id} from ${uploadSearchTexts} where ${uploadSearchTexts.words} @@ ${words}::tsquery`;

/** Matches media with the words, for lists that are short anyway. @param words see `toSearchQuery` */
export const matchesAsset = wordsOf;
export const matchesUpload = (words: string): SQL => sql`${uploads.id} in (${uploadMatches(words)})`;

/** Finds outputs by what an index has: a label, a person, words, or the newest of all. */
export async function searchAssets(db: Db, search: MediaSearch): Promise<FoundMedia> {
  const { words, person_id, until, limit, organization_id } = search;
  const where = and(search.listed, search.more, words === undefined ? undefined : wordsOf(words));
  const select: Select = (more) => selectAssets(db, and(where, more), { ...search, prompt: PROMPT_EXCERPT_CHARACTERS });
  const selectSince = (more: SQL | undefined, since: Date | null) =>
    select(and(more, since ? gte(assets.created_at, since) : undefined));
  const ofGenerations = (read: ReadCandidates) => selectCandidates(read, OUTPUTS_OF, selectSince, limit);
  const ways = [
    ...labelWay(db, search, (read) => selectCandidates(read, WITH_ID.assets, selectSince, limit), 'assets'),
    ...(person_id === null ? [] : [() => ofGenerations((count) => generationsOf(db, person_id, { until, count }))]),
    ...(person_id === null && !needsRecent(search)
      ? []
      : [() => selectRecent(db, assets, and(assetsIn(search), search.listed), select, limit)]),
    ...(words === undefined
      ? []
      : [() => ofGenerations((count) => generationsWith(db, words, { organization_id, until, count }))]),
  ];
  return firstOf(ways, select, limit);
}

/** Finds uploads by a label, words, or the newest of all. */
export async function searchUploads(db: Db, search: MediaSearch): Promise<FoundMedia> {
  const { words, limit } = search;
  const where = and(search.listed, search.more);
  const select: Select = (more) =>
    selectUploads(db, and(where, words === undefined ? undefined : matchesUpload(words), more), limit, search);
  const selectSince = (more: SQL | undefined, since: Date | null) =>
    select(and(more, since ? gte(uploads.created_at, since) : undefined));
  const ways = [
    ...labelWay(db, search, (read) => selectCandidates(read, WITH_ID.uploads, selectSince, limit), 'uploads'),
    ...(needsRecent(search)
      ? [() => selectRecent(db, uploads, and(uploadsIn(search), search.listed), select, limit)]
      : []),
    ...(words === undefined
      ? []
      : [
          async () => ({
            rows: await selectUploads(
              db,
              and(where, sql`${uploads.id} = any(array(${uploadMatches(words)}))`),
              limit,
              search,
            ),
            complete_since: null,
          }),
        ]),
  ];
  return firstOf(ways, select, limit);
}

const needsRecent = ({ words, frequent_label, is_combined }: MediaSearch): boolean =>
  words !== undefined || frequent_label !== undefined || is_combined;

type Select = (more?: SQL) => Promise<MediaRow[]>;
type Way = () => Promise<FoundMedia>;
type ReadCandidates = (count: number) => Promise<Candidates>;

/** The first way that has enough, or else the one that looked at the longest time. Without a way an index has it all. */
async function firstOf(ways: readonly Way[], select: Select, limit: number): Promise<FoundMedia> {
  if (ways.length === 0) return { rows: await select(), complete_since: null };
  let best: FoundMedia | undefined;
  for (const way of ways) {
    const found = await way();
    const { complete_since } = found;
    if (complete_since === null || found.rows.length >= Math.min(limit, FREQUENT_ITEMS)) return found;
    if (!best?.complete_since || complete_since < best.complete_since) best = found;
  }
  return best ?? { rows: [], complete_since: null };
}

function labelWay(
  db: Db,
  { organization_id, frequent_label, until }: MediaSearch,
  select: (read: ReadCandidates) => Promise<FoundMedia>,
  table: 'assets' | 'uploads',
): Way[] {
  if (frequent_label === undefined) return [];
  return [() => select((count) => mediaWith(db, table, { label: frequent_label, organization_id, until, count }))];
}

/** Matches media with a label that many have. */
export const hasFrequentLabel = (
  table: typeof assets | typeof uploads,
  { organization_id, label }: { organization_id: string; label: string },
): SQL =>
  sql`exists (select from ${mediaLabels} as labeled where labeled.organization_id = ${organization_id}
    and labeled.label = ${label} and labeled.media_id = ${table.id} offset 0)`;

/** Matches media of candidates. */
type IsCandidate = (ids: string[]) => SQL;

const WITH_ID: Record<'assets' | 'uploads', IsCandidate> = {
  assets: (ids) => inArray(assets.id, ids),
  uploads: (ids) => inArray(uploads.id, ids),
};
const OUTPUTS_OF: IsCandidate = (ids) => sql`${assets.id} = any(array(
  select output.id from ${assets} as output where output.generation_id = any(${sql.param(ids)}::text[])))`;

async function selectCandidates(
  read: ReadCandidates,
  isCandidate: IsCandidate,
  select: (more: SQL | undefined, since: Date | null) => Promise<MediaRow[]>,
  limit: number,
): Promise<FoundMedia> {
  const few = FEW_PAGES * limit;
  const { ids, is_all } = await read(Math.max(MAX_CANDIDATES, few));
  let found: FoundMedia = { rows: [], complete_since: null };
  for (const count of ids.length > few ? [few, ids.length] : [ids.length]) {
    const last = ids[count - 1];
    if (last === undefined) return found;
    const since = is_all && count === ids.length ? null : completeSince(last);
    const rows = await select(isCandidate(ids.slice(0, count)), since);
    found = { rows, complete_since: rows.length >= limit ? null : since };
    if (rows.length >= limit) return found;
  }
  return found;
}

async function selectRecent(
  db: Db,
  table: typeof assets | typeof uploads,
  listed: SQL | undefined,
  select: Select,
  limit: number,
): Promise<FoundMedia> {
  const [last] = await db
    .select({ created_at: table.created_at })
    .from(table)
    .where(listed)
    .orderBy(desc(table.created_at), desc(table.id))
    .offset(RECENT_ITEMS)
    .limit(1);
  const rows = await select(last && gte(table.created_at, last.created_at));
  return { rows, complete_since: rows.length >= limit ? null : (last?.created_at ?? null) };
}
