import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#server/db/db.ts';
import { readRows } from '#server/db/rows/list-tables.ts';
import { findWordMatches, idAt, timeOfId } from '#server/db/word-matches.ts';

/** Ids of media, or of the generations whose outputs are meant, newest first. */
export interface Candidates {
  ids: string[];
  is_all: boolean;
}

/** Longer than a generation takes. Outputs that are newer than all of these are of the newest generations. */
const LONGEST_RUN_MS = 6 * 3_600_000;
/** Clocks of several machines differ a little. */
const CLOCK_DIFFERENCE_MS = 60_000;

/** Media that were made since then are of the candidates up to this one, or of none. @param id of a candidate */
export const completeSince = (id: string): Date => new Date(timeOfId(id).getTime() + LONGEST_RUN_MS);

/** What was made before `time` has ids before this one. */
const idBefore = (time: Date | undefined): string | undefined =>
  time && idAt(new Date(time.getTime() + CLOCK_DIFFERENCE_MS));

const toCandidates = (ids: string[], count: number): Candidates => ({
  ids: ids.slice(0, count),
  is_all: ids.length < count,
});

/** Generations of a person, at most `count`. @param until of the media */
export async function generationsOf(
  db: Db,
  person_id: string,
  { until, count }: { until: Date | undefined; count: number },
): Promise<Candidates> {
  const before = until === undefined ? sql`` : sql` and r.created_at <= ${until.toISOString()}::timestamptz`;
  // In the order of the index, which a condition with several keys does not have.
  const rows = await readRows<{ id: string }>(
    db,
    sql`select made.id from api_keys as owner cross join lateral (
        select r.id, r.created_at from generations r where r.created_by = owner.id${before}
        order by r.created_at desc, r.id desc limit ${count}
      ) as made where owner.person_id = ${person_id} order by made.created_at desc, made.id desc limit ${count}`,
  );
  return toCandidates(
    rows.map(({ id }) => id),
    count,
  );
}

/** Generations with words, at most `count`. @param until of the media */
export async function generationsWith(
  db: Db,
  words: string,
  { organization_id, until, count }: { organization_id: string; until: Date | undefined; count: number },
): Promise<Candidates> {
  const ids: string[] = [];
  for await (const part of findWordMatches(db, { organization_id, words, before: idBefore(until), sizes: [count] })) {
    ids.push(...part);
    if (ids.length >= count) break;
  }
  return toCandidates(ids, count);
}

/** Media with a label and a kind of id, at most `count`. @param until of the media */
export async function mediaWith(
  db: Db,
  label: SQL,
  { prefix, until, count }: { prefix: 'ast_' | 'upl_'; until: Date | undefined; count: number },
): Promise<Candidates> {
  const end = idBefore(until)?.replace(/^gen_/, prefix) ?? `${prefix}zzzz`;
  const rows = await readRows<{ id: string }>(
    db,
    sql`select labeled.media_id as id from media_labels labeled where ${label}
      and labeled.media_id >= ${prefix} and labeled.media_id < ${end} order by labeled.media_id desc limit ${count}`,
  );
  return toCandidates(
    rows.map(({ id }) => id),
    count,
  );
}
