import { type SQL, and, desc, eq, gte, lt, or, sql } from 'drizzle-orm';
import { toPhraseQuery } from '#server/core/search-words.ts';
import type { Db } from '#server/db/db.ts';
import { generationListColumns } from '#server/db/generation-list-columns.ts';
import { readRows } from '#server/db/rows/list-tables.ts';
import { generations } from '#server/db/schema.ts';
import { generationTags } from '#server/db/tag-schema.ts';
import { madeBy } from '#server/db/work-scope.ts';
import { type GenerationFilter, type GenerationSource, generationSources, type Place } from './generation-sources.ts';

/** Generations that one step looks at where no index has the whole filter, and those with the words of a search. */
const WALKED_ROWS = 1_000;
const MAX_MATCHES = 3_000;
/** With so many matches among the rows of a step, the next step has more; an index would have too many. */
const FREQUENT_ROWS = 5;

const selectGenerations = (db: Db) => db.select({ generation: generationListColumns }).from(generations);

export interface FoundGenerations {
  rows: Awaited<ReturnType<typeof selectGenerations>>;
  /** There may be more from here on: the request looked at enough of them. Null: the rows are complete. */
  walked_to: Place | null;
}

/** Reads the newest generations of a filter, at most `count`. @param before exclusive */
export async function findGenerations(
  db: Db,
  filter: GenerationFilter,
  before: Place | undefined,
  count: number,
): Promise<FoundGenerations> {
  const all = and(filterCondition(filter), before && beforePlace(before));
  const newest = (more?: SQL) =>
    selectGenerations(db)
      .where(and(all, more))
      .orderBy(desc(generations.created_at), desc(generations.id))
      .limit(count);
  if (filter.batch_id !== undefined) return { rows: await newest(), walked_to: null };
  const sources = generationSources(filter, await startOfWalk(db, filter, before));
  const [first] = sources;
  if (first && sources.length === 1 && filter.q === undefined && filter.tags.size === 0)
    return { rows: await newest(hasId((await walk(db, first, count)).map(({ id }) => id))), walked_to: null };

  let best: FoundGenerations = { rows: [], walked_to: null };
  for (const source of sources) {
    const walked = await walk(db, source, WALKED_ROWS);
    const rows = await newest(hasId(walked.map(({ id }) => id)));
    if (rows.length >= count || walked.length < WALKED_ROWS) return { rows, walked_to: null };
    best = further(best, { rows, walked_to: walked.at(-1) ?? null });
  }
  const words = filter.q === undefined ? null : toPhraseQuery(filter.q);
  if (words === null || best.rows.length >= FREQUENT_ROWS) return best;
  const matches = await findMatches(db, words, before);
  const rows = await newest(hasId(matches.map(({ id }) => id)));
  if (rows.length >= count || matches.length < MAX_MATCHES) return { rows, walked_to: null };
  return further(best, { rows, walked_to: matches.at(-1) ?? null });
}

function further(a: FoundGenerations, b: FoundGenerations): FoundGenerations {
  if (!a.walked_to || !b.walked_to) return a.walked_to ? a : b;
  return a.walked_to.created_at < b.walked_to.created_at ? a : b;
}

const hasId = (ids: readonly string[]): SQL => sql`${generations.id} = any(${sql.param([...ids])}::text[])`;

const beforePlace = ({ created_at, id }: Place): SQL =>
  sql`(${generations.created_at}, ${generations.id}) < (${created_at.toISOString()}::timestamptz, ${id})`;

/** Lists by tag have no times, so they start at the newest generation of the time range. */
async function startOfWalk(db: Db, filter: GenerationFilter, before: Place | undefined): Promise<Place | undefined> {
  const { organization_id, created_before: end } = filter;
  if (end === undefined || filter.tags.size === 0 || (before && before.created_at < end)) return before;
  const [row] = await db
    .select({ created_at: generations.created_at, id: generations.id })
    .from(generations)
    .where(and(eq(generations.organization_id, organization_id), gte(generations.created_at, end)))
    .orderBy(generations.created_at, generations.id)
    .limit(1);
  return row ?? before;
}

async function walk(db: Db, source: GenerationSource, count: number): Promise<Place[]> {
  const rows = await readRows<{ id: string; at: number }>(
    db,
    sql`select id, (extract(epoch from created_at) * 1000)::float8 as at from (${source(count)}) as walked`,
  );
  return rows.map(({ id, at }) => ({ id, created_at: new Date(at) }));
}

/** Reads the newest generations with words, also of other organizations. The planner would rather read all by id. */
async function findMatches(db: Db, words: string, before: Place | undefined): Promise<Place[]> {
  const rows = await readRows<{ id: string; at: number }>(
    db,
    sql`with matches as materialized (
        select w.generation_id from generation_words w where w.words @@ ${words}::tsquery
      ), newest as materialized (
        select generation_id from matches ${before === undefined ? sql`` : sql`where generation_id < ${before.id}`}
        order by generation_id desc limit ${MAX_MATCHES}
      )
      select g.id, (extract(epoch from g.created_at) * 1000)::float8 as at from newest
      join generations g on g.id = newest.generation_id order by g.created_at desc, g.id desc`,
  );
  return rows.map(({ id, at }) => ({ id, created_at: new Date(at) }));
}

function filterCondition(filter: GenerationFilter): SQL | undefined {
  const { organization_id, status, task, model, batch_id, created_at, created_by } = generations;
  return and(
    eq(organization_id, filter.organization_id),
    madeBy(created_by, filter),
    filter.status && eq(status, filter.status),
    filter.task && eq(task, filter.task),
    filter.model && eq(model, filter.model),
    filter.batch_id === undefined ? undefined : eq(batch_id, filter.batch_id),
    filter.created_after && gte(created_at, filter.created_after),
    filter.created_before && lt(created_at, filter.created_before),
    filter.q === undefined ? undefined : matchesText(filter.q),
    ...[...filter.tags].map(hasTag),
  );
}

function hasTag([name, value]: [string, string | null]): SQL {
  const { organization_id, id } = generations;
  return value === null
    ? sql`not ${generations.tags} ? ${name}`
    : sql`exists (select from ${generationTags} as tag where tag.organization_id = ${organization_id}
        and tag.name = ${name} and tag.value = ${value} and tag.generation_id = ${id})`;
}

/** Matches text in the excerpt of the prompt or query that lists show; ignores case, and takes `%` and `_` literally. */
function matchesText(text: string): SQL | undefined {
  const pattern = `%${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
  const { input } = generationListColumns;
  return or(sql`${input}->>'prompt' ilike ${pattern}`, sql`${input}->>'query' ilike ${pattern}`);
}
