import { type SQL, and, eq, gte, lt, sql } from 'drizzle-orm';
import type { GenerationStatus } from '#contract/statuses.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import type { TagFilter } from '#server/accounts/billing/reports/spending-scope.ts';
import { toSearchQuery } from '#server/platform/core/search-words.ts';
import type { Db } from '#server/platform/db/db.ts';
import { generationListColumns } from '#server/platform/db/generation-list-columns.ts';
import { findByWords } from '#server/platform/db/find-by-words.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { type WorkScope, madeByKeysOf } from '#server/platform/db/work-scope.ts';
import { hasLabeledOutput } from '#server/studio/assets/label-filter.ts';
import { hasTag } from './tag-condition.ts';
import { type Place, type Sorting, afterPlace, orderBy, sortKey } from './sort-generations.ts';

interface GenerationFilter extends WorkScope {
  id?: string | undefined;
  status?: GenerationStatus | undefined;
  task?: TaskId | undefined;
  model?: AnyModelId | undefined;
  batch_id?: string | undefined;
  created_after?: Date | undefined;
  created_before?: Date | undefined;
  tags: TagFilter;
  /** Of an output. */
  label?: string | undefined;
  /** Words by which it is found. Decision: Search */
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
  filter: GenerationFilter,
  sorting: Sorting,
  { after, count }: Range,
): Promise<Rows> {
  if (filter.q === undefined) return selectSorted(db, await filterCondition(db, filter), sorting, { after, count });
  const isNewestFirst = sorting.sort === 'created_at' && sorting.order === 'desc';
  const search = { kind: 'generation', id: generations.id, words: toSearchQuery(filter.q) } as const;
  const filtered = await filterCondition(db, filter);
  return findByWords(
    db,
    { ...search, ...(isNewestFirst ? { newestFirst: { before: after?.id, count } } : {}) },
    (condition) => selectSorted(db, and(filtered, condition), sorting, { after, count }),
  );
}

async function selectSorted(
  db: Db,
  filtered: SQL | undefined,
  sorting: Sorting,
  { after, count }: Range,
): Promise<Rows> {
  const { column, isNullable } = sortKey(sorting);
  const order = orderBy(sorting);
  const select = (where: SQL | undefined, place: Place | undefined, limit: number) =>
    selectGenerations(db, and(where, place && afterPlace(sorting, place)), order, limit);
  if (!isNullable) return select(filtered, after, count);
  const hasValue = sql`${column} is not null`;
  const isAmongLast = after?.value === null;
  const known = isAmongLast ? [] : await select(and(filtered, hasValue), after, count);
  if (known.length >= count) return known;
  const last = and(filtered, sql`${column} is null`);
  return [...known, ...(await select(last, isAmongLast ? after : undefined, count - known.length))];
}

async function filterCondition(db: Db, filter: GenerationFilter): Promise<SQL | undefined> {
  const { organization_id, id, status, task, model, batch_id, created_at } = generations;
  return and(
    eq(organization_id, filter.organization_id),
    filter.id === undefined ? undefined : eq(id, filter.id),
    await madeByKeysOf(db, generations.created_by, filter),
    filter.status && eq(status, filter.status),
    filter.task && eq(task, filter.task),
    filter.model && eq(model, filter.model),
    filter.batch_id === undefined ? undefined : eq(batch_id, filter.batch_id),
    filter.created_after && gte(created_at, filter.created_after),
    filter.created_before && lt(created_at, filter.created_before),
    ...[...filter.tags].map((tag) => hasTag(filter.organization_id, generations.id, tag)),
    filter.label === undefined ? undefined : hasLabeledOutput(generations.id, filter.organization_id, filter.label),
  );
}
