import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/db.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { findWordMatches, timeOfId } from '#server/platform/db/word-matches.ts';

/** Ids of media, or of the generations whose outputs are meant, newest first. */
export interface Candidates {
  ids: string[];
  is_all: boolean;
}

export interface CandidateQuery {
  organization_id: string;
  /** The newest time of the media. */
  until: Date | undefined;
  count: number;
}

/** Longer than a generation takes. Outputs that are newer than all of these are of the newest generations. */
const LONGEST_RUN_MS = 6 * 3_600_000;

/** Media that were made since then are of the candidates up to this one, or of none. @param id of a candidate */
export const completeSince = (id: string): Date => new Date(timeOfId(id).getTime() + LONGEST_RUN_MS);

/** Returns the id at which rows begin that were made after a time; undefined without a time or without such rows. */
async function readEnd(
  db: Db,
  table: 'generations' | 'assets' | 'uploads',
  { organization_id, until }: Pick<CandidateQuery, 'organization_id' | 'until'>,
): Promise<string | undefined> {
  if (until === undefined) return undefined;
  const listed = { generations: sql``, assets: LISTED.assets, uploads: LISTED.uploads }[table];
  const [row] = await readRows<{ id: string }>(
    db,
    sql`select id from ${sql.identifier(table)} where organization_id = ${organization_id}
      and created_at > ${until.toISOString()}::timestamptz ${listed} order by created_at, id limit 1`,
  );
  return row?.id;
}

/** The conditions of the indexes of the library. */
const LISTED = { assets: sql`and removed_at is null and not held`, uploads: sql`and removed_at is null` };

const toCandidates = (ids: string[], count: number): Candidates => ({
  ids: ids.slice(0, count),
  is_all: ids.length < count,
});

/** Generations of a person, at most `count`. */
export async function generationsOf(
  db: Db,
  person_id: string,
  { until, count }: Pick<CandidateQuery, 'until' | 'count'>,
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

/** Generations with words, at most `count`. */
export async function generationsWith(
  db: Db,
  words: string,
  { organization_id, until, count }: CandidateQuery,
): Promise<Candidates> {
  const ids: string[] = [];
  const before = await readEnd(db, 'generations', { organization_id, until });
  for await (const part of findWordMatches(db, { organization_id, words, before, sizes: [count] })) {
    ids.push(...part);
    if (ids.length >= count) break;
  }
  return toCandidates(ids, count);
}

/** Media of a table with a label, at most `count`. */
export async function mediaWith(
  db: Db,
  table: 'assets' | 'uploads',
  { label, organization_id, until, count }: CandidateQuery & { label: string },
): Promise<Candidates> {
  const prefix = { assets: 'ast_', uploads: 'upl_' }[table];
  const end = (await readEnd(db, table, { organization_id, until })) ?? `${prefix}zzzz`;
  const rows = await readRows<{ id: string }>(
    db,
    sql`select media_id as id from media_labels where organization_id = ${organization_id} and label = ${label}
      and media_id >= ${prefix} and media_id < ${end} order by media_id desc limit ${count}`,
  );
  return toCandidates(
    rows.map(({ id }) => id),
    count,
  );
}
