import { type SQL, and, desc, eq, gte, lt, or, sql } from 'drizzle-orm';
import { toPhraseQuery } from '#server/platform/core/search-words.ts';
import type { Db } from '#server/platform/db/db.ts';
import { generationListColumns } from '#server/platform/db/generation-list-columns.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { findWordMatches } from '#server/platform/db/word-matches.ts';
import { generations } from '#server/platform/db/schema.ts';
import { generationTags } from '#server/platform/db/tag-schema.ts';
import { madeBy } from '#server/platform/db/work-scope.ts';
import { type GenerationFilter, type GenerationSource, generationSources, type Place } from './generation-sources.ts';

/** Generations that one step looks at where no index has the whole filter, and those with the words of a search. */
const WALKED_ROWS = 1_000;
const MAX_MATCHES = 2_000;
/** Where many match, the newest of these fill a page. */
const FIRST_ROWS = 100;
/** With so many matches among the rows of a step, the next step has more; an index would have too many. */
const FREQUENT_ROWS = 5;

const selectGenerations = (db: Db) => db.select({ generation: generationListColumns }).from(generations);

type Rows = Awaited<ReturnType<typeof selectGenerations>>;

export interface FoundGenerations {
  rows: Rows;
  /** There may be more from here on: the request looked at enough of them. Null: the rows are complete. */
  walked_to: Place | null;
}

/** What the steps of one page looked at, by part of the filter: a step continues where the one before it ended. */
export type Walks = Map<number, Place[]>;

/** Reads the newest generations of a filter, at most `count`. @param before exclusive */
export async function findGenerations(
  db: Db,
  filter: GenerationFilter,
  { before, count, walks }: { before: Place | undefined; count: number; walks: Walks },
): Promise<FoundGenerations> {
  const all = and(filterCondition(filter), before && beforePlace(before));
  const newest = (more?: SQL) =>
    selectGenerations(db)
      .where(and(all, more))
      .orderBy(desc(generations.created_at), desc(generations.id))
      .limit(count);
  if (filter.batch_id !== undefined) return { rows: await newest(), walked_to: null };
  const start = await startOfWalk(db, filter, before);
  const sources = generationSources(filter, start);
  const [first] = sources;
  if (first && sources.length === 1 && filter.q === undefined && filter.tags.size === 0)
    return { rows: await newest(hasId((await walk(db, first, count)).map(({ id }) => id))), walked_to: null };

  let best: FoundGenerations = { rows: [], walked_to: null };
  for (const [index, source] of sources.entries()) {
    const walked = walks.get(index) ?? (await walk(db, source, WALKED_ROWS));
    walks.set(index, walked);
    const rows: Rows = [];
    const rest = before ? walked.filter((place) => isBefore(place, before)) : walked;
    for (const part of [rest.slice(0, FIRST_ROWS), rest.slice(FIRST_ROWS)])
      if (part.length > 0 && rows.length < count) rows.push(...(await newest(hasId(part.map(({ id }) => id)))));
    if (rows.length >= count || walked.length < WALKED_ROWS) return { rows: rows.slice(0, count), walked_to: null };
    best = further(best, { rows, walked_to: walked.at(-1) ?? null });
  }
  const words = filter.q === undefined ? null : toPhraseQuery(filter.q);
  if (words === null || best.rows.length >= FREQUENT_ROWS) return best;
  const found = await findByWords(db, { filter, words, before: start, count }, (ids) => newest(hasId(ids)));
  const both = { ...found, rows: merge(best.rows, found.rows).slice(0, count) };
  return found.walked_to === null ? both : further(best, both);
}

interface WordQuery {
  filter: GenerationFilter;
  words: string;
  before: Place | undefined;
  count: number;
}

async function findByWords(
  db: Db,
  { filter, words, before, count }: WordQuery,
  select: (ids: string[]) => Promise<Rows>,
): Promise<FoundGenerations> {
  const { organization_id, created_after: since } = filter;
  const sizes = [FIRST_ROWS, WALKED_ROWS] as const;
  const rows: Rows = [];
  let looked = 0;
  for await (const ids of findWordMatches(db, { organization_id, words, before: before?.id, since, sizes })) {
    rows.push(...(await select(ids)));
    looked += ids.length;
    if (rows.length >= count) return { rows: rows.slice(0, count), walked_to: null };
    if (looked >= MAX_MATCHES) return { rows, walked_to: await findPlace(db, ids.at(-1) ?? '') };
  }
  return { rows, walked_to: null };
}

async function findPlace(db: Db, id: string): Promise<Place | null> {
  const [place] = await db
    .select({ id: generations.id, created_at: generations.created_at })
    .from(generations)
    .where(eq(generations.id, id));
  return place ?? null;
}

/** Text inside of words is found among the newest only. */
function merge(inside: Rows, found: Rows): Rows {
  const ids = new Set(found.map(({ generation }) => generation.id));
  return [...inside.filter(({ generation }) => !ids.has(generation.id)), ...found].toSorted(
    ({ generation: a }, { generation: b }) => b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1),
  );
}

function further(a: FoundGenerations, b: FoundGenerations): FoundGenerations {
  if (!a.walked_to || !b.walked_to) return a.walked_to ? a : b;
  return a.walked_to.created_at < b.walked_to.created_at ? a : b;
}

const isBefore = (a: Place, b: Place): boolean =>
  a.created_at < b.created_at || (a.created_at.getTime() === b.created_at.getTime() && a.id < b.id);

const hasId = (ids: readonly string[]): SQL => sql`${generations.id} = any(${sql.param([...ids])}::text[])`;

const beforePlace = ({ created_at, id }: Place): SQL =>
  sql`(${generations.created_at}, ${generations.id}) < (${created_at.toISOString()}::timestamptz, ${id})`;

/** Lists by tag and by word have no times, so they start at the newest generation of the time range. */
async function startOfWalk(db: Db, filter: GenerationFilter, before: Place | undefined): Promise<Place | undefined> {
  const { organization_id, created_before: end } = filter;
  if (end === undefined || (filter.tags.size === 0 && filter.q === undefined) || (before && before.created_at < end))
    return before;
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
