import { type SQL, and, desc, eq, gte, inArray, lt, or, sql } from 'drizzle-orm';
import type { GenerationStatus } from '#contract/statuses.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { TagFilter } from '#server/accounts/billing/spending-scope.ts';
import { toPhraseQuery } from '#server/platform/core/search-words.ts';
import type { Db } from '#server/platform/db/db.ts';
import { generationListColumns } from '#server/platform/db/generation-list-columns.ts';
import { generationHasWords } from '#server/platform/db/library-schema.ts';
import { generations } from '#server/platform/db/schema.ts';
import { generationTags } from '#server/platform/db/tag-schema.ts';
import { type WorkScope, madeByKeysOf } from '#server/platform/db/work-scope.ts';
import { type Place, type Sorting, afterPlace, orderBy, sortKey } from './sort-generations.ts';

/** Among these, text inside of words is found too. Decision: Lists */
const RECENT_ROWS = 1_000;

interface GenerationFilter extends WorkScope {
  status?: GenerationStatus | undefined;
  task?: TaskId | undefined;
  model?: AnyModelId | undefined;
  batch_id?: string | undefined;
  created_after?: Date | undefined;
  created_before?: Date | undefined;
  tags: TagFilter;
  /** Text that the prompt or query contains. */
  q?: string | undefined;
}

const selectGenerations = (db: Db, where: SQL | undefined, order: readonly SQL[], count: number) =>
  db
    .select({ generation: generationListColumns })
    .from(generations)
    .where(where)
    .orderBy(...order)
    .limit(count);

type Rows = Awaited<ReturnType<typeof selectGenerations>>;

interface Range {
  /** Exclusive. */
  after: Place | undefined;
  count: number;
}

/** Reads the first generations of a filter in an order, at most `count`. Those without a value to sort by come last. */
export async function findGenerations(
  db: Db,
  { q, ...filter }: GenerationFilter,
  sorting: Sorting,
  { after, count }: Range,
): Promise<Rows> {
  const filtered = await filterCondition(db, filter);
  const { column, isNullable } = sortKey(sorting);
  if (!isNullable) return search(db, filtered, q, sorting, { after, count });
  const hasValue = sql`${column} is not null`;
  const isAmongLast = after?.value === null;
  const known = isAmongLast ? [] : await search(db, and(filtered, hasValue), q, sorting, { after, count });
  if (known.length >= count) return known;
  const last = and(filtered, sql`${column} is null`);
  const range = { after: isAmongLast ? after : undefined, count: count - known.length };
  return [...known, ...(await search(db, last, q, sorting, range))];
}

async function search(
  db: Db,
  filtered: SQL | undefined,
  q: string | undefined,
  sorting: Sorting,
  { after, count }: Range,
): Promise<Rows> {
  const order = orderBy(sorting);
  const rest = and(filtered, after && afterPlace(sorting, after));
  if (q === undefined) return selectGenerations(db, rest, order, count);
  const recentIds = db
    .select({ id: generations.id })
    .from(generations)
    .where(filtered)
    .orderBy(desc(generations.created_at), desc(generations.id))
    .limit(RECENT_ROWS);
  const containing = and(rest, containsText(q));
  const isRecent = inArray(generations.id, recentIds);
  const words = toPhraseQuery(q);
  const hasWords = words === null ? undefined : generationHasWords(generations.id, words);
  if (sorting.sort !== 'created_at' || sorting.order !== 'desc')
    return selectGenerations(db, and(containing, or(isRecent, hasWords)), order, count);
  // Two queries, because the recent ones are often enough.
  const recent = await selectGenerations(db, and(containing, isRecent), order, count);
  if (!hasWords || recent.length >= count) return recent;
  return merge(recent, await selectGenerations(db, and(containing, hasWords), order, count)).slice(0, count);
}

function merge(a: Rows, b: Rows): Rows {
  const rows = new Map([...a, ...b].map((row) => [row.generation.id, row]));
  return [...rows.values()].toSorted(
    ({ generation: first }, { generation: second }) =>
      second.created_at.getTime() - first.created_at.getTime() || (first.id < second.id ? 1 : -1),
  );
}

async function filterCondition(db: Db, filter: Omit<GenerationFilter, 'q'>): Promise<SQL | undefined> {
  const { organization_id, status, task, model, batch_id, created_at } = generations;
  return and(
    eq(organization_id, filter.organization_id),
    await madeByKeysOf(db, generations.created_by, filter),
    filter.status && eq(status, filter.status),
    filter.task && eq(task, filter.task),
    filter.model && eq(model, filter.model),
    filter.batch_id === undefined ? undefined : eq(batch_id, filter.batch_id),
    filter.created_after && gte(created_at, filter.created_after),
    filter.created_before && lt(created_at, filter.created_before),
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

/**
 * Matches text in the excerpt of the prompt or query that lists show, whatever its case. The planner expects too few
 * matches of `ilike`, and would not read the list in its order.
 */
function containsText(text: string): SQL {
  const { input } = generationListColumns;
  return sql`strpos(lower(coalesce(${input}->>'prompt', ${input}->>'query')), lower(${text})) > 0`;
}
