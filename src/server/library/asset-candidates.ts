import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '#server/db/db.ts';
import { readRows } from '#server/db/rows/list-tables.ts';
import { findWordMatches, idAt, timeOfId } from '#server/db/word-matches.ts';

/** Ids of media, or of the generations whose outputs are meant, newest first. */
export interface Candidates {
  ids: string[];
  /** Media that are newer than this are of these candidates or of none. Null: these are all. */
  since: Date | null;
}

/** Longer than a generation takes. Outputs that are newer than all of these are of the newest generations. */
const LONGEST_RUN_MS = 6 * 3_600_000;
/** Clocks of several machines differ a little. */
const CLOCK_DIFFERENCE_MS = 60_000;

const afterRun = (began: Date): Date => new Date(began.getTime() + LONGEST_RUN_MS);

/** What was made before `time` has ids before this one. */
const idBefore = (time: Date | undefined): string | undefined =>
  time && idAt(new Date(time.getTime() + CLOCK_DIFFERENCE_MS));

/** Generations of a person, at most `count`. @param until of the media */
export async function generationsOf(
  db: Db,
  person_id: string,
  { until, count }: { until: Date | undefined; count: number },
): Promise<Candidates> {
  const before = until === undefined ? sql`` : sql` and r.created_at <= ${until.toISOString()}::timestamptz`;
  // In the order of the index, which a condition with several keys does not have.
  const rows = await readRows<{ id: string; at: number }>(
    db,
    sql`select made.id, (extract(epoch from made.created_at) * 1000)::float8 as at from api_keys as owner cross join lateral (
        select r.id, r.created_at from generations r where r.created_by = owner.id${before}
        order by r.created_at desc, r.id desc limit ${count + 1}
      ) as made where owner.person_id = ${person_id} order by made.created_at desc, made.id desc limit ${count + 1}`,
  );
  const next = rows[count];
  return { ids: rows.slice(0, count).map(({ id }) => id), since: next ? afterRun(new Date(next.at)) : null };
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
  const last = ids[count - 1];
  return { ids: ids.slice(0, count), since: last === undefined ? null : afterRun(timeOfId(last)) };
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
  const last = rows[count - 1];
  return { ids: rows.map(({ id }) => id), since: last ? afterRun(timeOfId(last.id)) : null };
}
