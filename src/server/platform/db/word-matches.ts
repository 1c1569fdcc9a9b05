import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './db.ts';
import { generationSearchTexts, wordsByTime } from './library-schema.ts';
import { readRows } from './rows/list-tables.ts';

const BASE_32 = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_PREFIX = 'gen_';
const TIME_CHARACTERS = 10;
/** Characters of an id that name a bucket of the index of words: 12.4 days. */
const BUCKET_CHARACTERS = 4;
/** Where buckets have few matches, so many more are read at once. */
const GROWTH = 4;
/** About two years. Longer gaps are skipped, such as after a clock that was wrong for a while. */
const MAX_SPAN = 64;
/** Words of one or two characters begin too many others. */
const MIN_PREFIX_CHARACTERS = 3;

export interface WordSearch {
  organization_id: string;
  /** See `toSearchQuery` and `toPhraseQuery`. */
  words: string;
  /** An id, exclusive. */
  before?: string | undefined;
  /** Leaves out buckets that are older. */
  since?: Date | undefined;
  /** How many ids a part has at most, in turn; the last for all further parts. */
  sizes: readonly [number, ...number[]];
}

/**
 * Finds generations with words, newest first, in parts: the caller stops when it has enough. Each part reads the index
 * bucket by bucket, so that its time does not depend on how many older generations have the words. They may belong to
 * other organizations, but are not older than the organization's oldest.
 */
export async function* findWordMatches(db: Db, search: WordSearch): AsyncGenerator<string[]> {
  const { words, organization_id, sizes } = search;
  const range = await readIdRange(db, organization_id);
  if (!range) return;
  const oldest = Math.max(toBucket(range.oldest), search.since ? toBucket(idAt(search.since)) : 0);
  let { before } = search;
  // Ids of other processes may be of the next bucket already.
  const newest = toBucket(range.newest) + 1;
  let [at, span, part] = [before === undefined ? newest : Math.min(toBucket(before), newest), 1, 0];
  while (at >= oldest) {
    const limit = sizes[Math.min(part, sizes.length - 1)] ?? sizes[0];
    const first = Math.max(oldest, at - span + 1);
    const buckets = Array.from({ length: at - first + 1 }, (_, index) => formatBucket(at - index));
    const rows = await readRows<{ id: string }>(db, matchesIn(buckets, words, { before, limit }));
    const ids = rows.map(({ id }) => id);
    const last = ids.at(-1);
    if (last !== undefined) [before, part] = [last, part + 1];
    if (last !== undefined && ids.length >= limit) at = toBucket(last);
    else if (last === undefined && span >= MAX_SPAN) at = await findBucketBelow(db, first);
    else [at, span] = [first - 1, ids.length * GROWTH <= limit ? Math.min(span * GROWTH, MAX_SPAN) : span];
    if (ids.length > 0) yield ids;
  }
}

/** Returns the bucket of the newest words below one, or -1. */
async function findBucketBelow(db: Db, bucket: number): Promise<number> {
  const { generation_id: id } = generationSearchTexts;
  const [row] = await readRows<{ id: string }>(
    db,
    sql`select ${id} as id from ${generationSearchTexts} where ${id} < ${ID_PREFIX + formatBucket(bucket)} order by ${id} desc limit 1`,
  );
  return row ? toBucket(row.id) : -1;
}

function matchesIn(
  buckets: readonly string[],
  words: string,
  { before, limit }: { before: string | undefined; limit: number },
): SQL {
  const queries = buckets.map((bucket) => queryOfBucket(words, bucket));
  const { generation_id: id, words: all } = generationSearchTexts;
  const is_partial = toIndexed(words) !== words;
  // The fence keeps the planner from reading old buckets by their ids, bytes are compared many times faster than text,
  // and buckets are read in their order until there are enough.
  return sql`select found.id from unnest(${sql.param(queries)}::text[]) as bucket (query) cross join lateral (
      select matching.id from (
        select ${id} as id from ${generationSearchTexts} where ${wordsByTime(generationSearchTexts)} @@ bucket.query::tsquery
        ${is_partial ? sql`and ${all} @@ ${words}::tsquery` : sql``} offset 0
      ) as matching ${before === undefined ? sql`` : sql`where matching.id < ${before}`}
      order by matching.id collate "C" desc limit ${limit}
    ) as found limit ${limit}`;
}

const queryOfBucket = (words: string, bucket: string): string =>
  toIndexed(words).replaceAll(/'([^']*)'/g, `'${bucket}$1'`);

/** Leaves out short prefixes beside longer words; rows are compared with all words anyway. */
function toIndexed(words: string): string {
  const all = words.split(' & ');
  const selective = all.filter((word) => !word.endsWith(':*') || word.length >= MIN_PREFIX_CHARACTERS + "'':*".length);
  return selective.length === 0 ? words : selective.join(' & ');
}

async function readIdRange(db: Db, organization_id: string): Promise<{ oldest: string; newest: string } | undefined> {
  const end = (order: SQL) => sql`(select id from generations where organization_id = ${organization_id}
    order by created_at ${order}, id ${order} limit 1)`;
  const [range] = await readRows<{ oldest: string | null; newest: string | null }>(
    db,
    sql`select ${end(sql`asc`)} as oldest, ${end(sql`desc`)} as newest`,
  );
  return range?.oldest != null && range.newest !== null ? { oldest: range.oldest, newest: range.newest } : undefined;
}

/** The least id of a time. */
function idAt(time: Date): string {
  let [rest, text] = [Math.max(time.getTime(), 0), ''];
  for (let place = 0; place < TIME_CHARACTERS; place += 1, rest = Math.floor(rest / BASE_32.length))
    text = (BASE_32[rest % BASE_32.length] ?? '') + text;
  return ID_PREFIX + text;
}

const readBase32 = (text: string): number =>
  [...text].reduce((sum, character) => sum * BASE_32.length + Math.max(BASE_32.indexOf(character), 0), 0);

/** The time at which an id was made. */
export const timeOfId = (id: string): Date =>
  new Date(readBase32(id.slice(ID_PREFIX.length, ID_PREFIX.length + TIME_CHARACTERS)));

const toBucket = (id: string): number => readBase32(id.slice(ID_PREFIX.length, ID_PREFIX.length + BUCKET_CHARACTERS));

const formatBucket = (bucket: number): string =>
  Array.from(
    { length: BUCKET_CHARACTERS },
    (_, index) => BASE_32[Math.floor(bucket / BASE_32.length ** (BUCKET_CHARACTERS - 1 - index)) % BASE_32.length],
  ).join('');
