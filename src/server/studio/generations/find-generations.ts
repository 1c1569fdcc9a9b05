import { type SQL, and, desc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { GenerationStatus } from '#contract/statuses.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { TagFilter } from '#server/accounts/billing/spending-scope.ts';
import { toPhraseQuery } from '#server/platform/core/search-words.ts';
import type { Db } from '#server/platform/db/db.ts';
import { generationListColumns } from '#server/platform/db/generation-list-columns.ts';
import { generationHasWords } from '#server/platform/db/library-schema.ts';
import { generations } from '#server/platform/db/schema.ts';
import { generationTags } from '#server/platform/db/tag-schema.ts';
import { type WorkScope, madeByKeysOf } from '#server/platform/db/work-scope.ts';

/** Among these, text inside of words is found too. Decision: Lists */
const RECENT_ROWS = 1_000;

/** A place in a list that is ordered by time and id. */
export interface Place {
  created_at: Date;
  id: string;
}

interface GenerationFilter extends WorkScope {
  status?: GenerationStatus | undefined;
  task?: TaskId | undefined;
  model?: ModelId | undefined;
  batch_id?: string | undefined;
  created_after?: Date | undefined;
  created_before?: Date | undefined;
  tags: TagFilter;
  /** Text that the prompt or query contains. */
  q?: string | undefined;
}

const selectGenerations = (db: Db, where: SQL | undefined, count: number) =>
  db
    .select({ generation: generationListColumns })
    .from(generations)
    .where(where)
    .orderBy(desc(generations.created_at), desc(generations.id))
    .limit(count);

type Rows = Awaited<ReturnType<typeof selectGenerations>>;

/** Reads the newest generations of a filter, at most `count`. @param before exclusive */
export async function findGenerations(
  db: Db,
  { q, ...filter }: GenerationFilter,
  { before, count }: { before: Place | undefined; count: number },
): Promise<Rows> {
  const filtered = await filterCondition(db, filter);
  const rest = and(filtered, before && beforePlace(before));
  if (q === undefined) return selectGenerations(db, rest, count);
  const recentIds = db
    .select({ id: generations.id })
    .from(generations)
    .where(filtered)
    .orderBy(desc(generations.created_at), desc(generations.id))
    .limit(RECENT_ROWS);
  const containing = and(rest, containsText(q));
  const recent = await selectGenerations(db, and(containing, inArray(generations.id, recentIds)), count);
  const words = toPhraseQuery(q);
  if (words === null || recent.length >= count) return recent;
  const found = await selectGenerations(db, and(containing, generationHasWords(generations.id, words)), count);
  return merge(recent, found).slice(0, count);
}

function merge(a: Rows, b: Rows): Rows {
  const rows = new Map([...a, ...b].map((row) => [row.generation.id, row]));
  return [...rows.values()].toSorted(
    ({ generation: first }, { generation: second }) =>
      second.created_at.getTime() - first.created_at.getTime() || (first.id < second.id ? 1 : -1),
  );
}

const beforePlace = ({ created_at, id }: Place): SQL =>
  sql`(${generations.created_at}, ${generations.id}) < (${created_at.toISOString()}::timestamptz, ${id})`;

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
