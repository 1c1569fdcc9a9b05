import { type SQL, sql } from 'drizzle-orm';
import { GENERATION_STATUSES, type GenerationStatus } from '#contract/statuses.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { TASK_MODEL_PAIRS } from '#server/accounts/billing/ledger-sources.ts';
import type { TagFilter } from '#server/accounts/billing/spending-scope.ts';
import type { WorkScope } from '#server/platform/db/work-scope.ts';

/** A place in a list that is ordered by time and id. */
export interface Place {
  created_at: Date;
  id: string;
}

export interface GenerationFilter extends WorkScope {
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

/** Builds a query for the newest `id` and `created_at` of one part of a filter, newest first. */
export type GenerationSource = (limit: number) => SQL;

/**
 * Returns one source for each part of a filter that has an index. Each reads the newest of some ranges of it, so that its
 * time depends neither on the number of generations nor on how few of them match.
 * @param before exclusive
 */
export function generationSources(filter: GenerationFilter, before: Place | undefined): GenerationSource[] {
  const { organization_id, person_id, status, task, model } = filter;
  const within = sql`g.organization_id = ${organization_id}${timeRange(filter)}${beforePlace(before)}`;
  const values = [...filter.tags].filter((tag): tag is [string, string] => tag[1] !== null);
  const sources = values.map((tag) => sourceOfTag(organization_id, tag, before?.id));
  if (person_id !== null)
    sources.push(
      newestOf(sql`api_keys as owner`, sql`owner.person_id = ${person_id}`, sql`g.created_by = owner.id and ${within}`),
    );
  if (status !== undefined || task !== undefined || model !== undefined) sources.push(sourceOfWork(filter, within));
  return sources.length > 0 ? sources : [(limit) => sql`${newest(within, limit)}`];
}

const timeRange = ({ created_after, created_before }: GenerationFilter): SQL =>
  sql`${created_after === undefined ? sql`` : sql` and g.created_at >= ${created_after.toISOString()}::timestamptz`}${
    created_before === undefined ? sql`` : sql` and g.created_at < ${created_before.toISOString()}::timestamptz`
  }`;

const beforePlace = (before: Place | undefined): SQL =>
  before === undefined
    ? sql``
    : sql` and (g.created_at, g.id) < (${before.created_at.toISOString()}::timestamptz, ${before.id})`;

const newest = (where: SQL, limit: number): SQL =>
  sql`select g.id, g.created_at from generations g where ${where} order by g.created_at desc, g.id desc limit ${limit}`;

/** The newest of each range, and of those the newest. */
const newestOf =
  (ranges: SQL, of_ranges: SQL, where: SQL): GenerationSource =>
  (limit) =>
    sql`select newest.id, newest.created_at from ${ranges} cross join lateral (${newest(where, limit)}) as newest
      where ${of_ranges} order by newest.created_at desc, newest.id desc limit ${limit}`;

/** Each combination of task, model and status has its own range of an index. */
function sourceOfWork({ status, task, model }: GenerationFilter, within: SQL): GenerationSource {
  const pairs = TASK_MODEL_PAIRS.filter(
    (pair) => (task === undefined || pair.task === task) && (model === undefined || pair.model === model),
  );
  const statuses = status === undefined ? GENERATION_STATUSES : [status];
  const cells = pairs.flatMap((pair) =>
    statuses.map((each) => sql`(${pair.task}::text, ${pair.model ?? ''}::text, ${each}::text)`),
  );
  if (cells.length === 0) return () => sql`select null::text as id, null::timestamptz as created_at where false`;
  return newestOf(
    sql`(values ${sql.join(cells, sql`, `)}) as cell (task, model, status)`,
    sql`true`,
    sql`g.task = cell.task and coalesce(g.model, '') = cell.model and g.status = cell.status and ${within}`,
  );
}

/** Ids have the order of times; the caller checks these. */
const sourceOfTag =
  (organization_id: string, [name, value]: [string, string], before_id: string | undefined): GenerationSource =>
  (limit) =>
    sql`select g.id, g.created_at from (
        select t.generation_id from generation_tags t where t.organization_id = ${organization_id} and t.name = ${name}
          and t.value = ${value}${before_id === undefined ? sql`` : sql` and t.generation_id < ${before_id}`}
        order by t.generation_id desc limit ${limit}
      ) as tagged join generations g on g.id = tagged.generation_id
      order by g.created_at desc, g.id desc`;
