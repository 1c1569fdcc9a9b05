import { type SQL, and, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import { modelsForTask } from '#contract/catalog.ts';
import type { QueryOf } from '#contract/endpoints.ts';
import { type ModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import type { LedgerType } from '#contract/ledger.ts';
import { accounts, ledgerEntries, ledgerTags } from '#server/db/billing-schema.ts';
import type { Db } from '#server/db/db.ts';
import type { SpendingScope } from './spending-scope.ts';
import { parseQueryTime } from '#server/db/created-within.ts';

/** A filter whose person and tags were resolved by `scopeSpending`. */
export type LedgerFilter = Omit<QueryOf<'list_ledger'>, 'limit' | 'cursor' | 'person_id' | 'tags'> &
  Partial<Pick<SpendingScope, 'key_ids' | 'tags'>>;
/** `seq` from `first` (inclusive) to `end` (exclusive). */
export interface SeqRange {
  first: bigint;
  end: bigint;
}

const { organization_id: of_organization, seq, created_at } = ledgerEntries;

/** Converts a filter's times and number to one range of `seq`; this is possible because times never decrease. */
export async function resolveSeqRange(
  { db }: { db: Pick<Db, 'select'> },
  organization_id: string,
  { created_after, created_before, seq: only }: Pick<LedgerFilter, 'created_after' | 'created_before' | 'seq'>,
): Promise<SeqRange> {
  const [account] = await db
    .select({
      end: sql<string>`${accounts.last_seq} + 1`,
      first: firstSeqFrom(organization_id, created_after),
      before: firstSeqFrom(organization_id, created_before),
    })
    .from(accounts)
    .where(eq(accounts.organization_id, organization_id));
  const end = BigInt(account?.end ?? 1);
  const first = created_after === undefined ? 1n : BigInt(account?.first ?? end);
  const range = { first, end: created_before === undefined ? end : BigInt(account?.before ?? end) };
  if (only === undefined) return range;
  const at = BigInt(only);
  return range.first <= at && at < range.end ? { first: at, end: at + 1n } : { first: at, end: at };
}

const firstSeqFrom = (organization_id: string, time: string | undefined): SQL<string | null> =>
  time === undefined
    ? sql`null`
    : sql`(select ${seq} from ${ledgerEntries} where ${and(eq(of_organization, organization_id), gte(created_at, parseQueryTime(time)))}
        order by ${created_at}, ${seq} limit 1)`;

export const seqRangeCondition = (organization_id: string, { first, end }: SeqRange): SQL | undefined =>
  and(eq(of_organization, organization_id), gte(seq, first), lt(seq, end));

export const ledgerFilterCondition = (filter: LedgerFilter): SQL | undefined =>
  and(
    filter.type && eq(ledgerEntries.type, filter.type),
    filter.generation_id ? eq(ledgerEntries.generation_id, filter.generation_id) : undefined,
    filter.workflow_run_id ? eq(ledgerEntries.workflow_run_id, filter.workflow_run_id) : undefined,
    filter.task && eq(ledgerEntries.task, filter.task),
    filter.model && eq(ledgerEntries.model, filter.model),
    filter.key_id ? eq(ledgerEntries.key_id, filter.key_id) : undefined,
    filter.key_ids ? inArray(ledgerEntries.key_id, [...filter.key_ids]) : undefined,
    ...[...(filter.tags ?? [])].map(hasTag),
  );

/** An entry without a generation, such as a credit, has no tags. */
function hasTag([name, value]: [string, string | null]): SQL {
  const { organization_id, type } = ledgerEntries;
  const of_name = sql`tag.organization_id = ${organization_id} and tag.name = ${name} and tag.seq = ${seq}`;
  return value === null
    ? sql`not exists (select from ${ledgerTags} as tag where ${of_name})`
    : sql`exists (select from ${ledgerTags} as tag where ${of_name} and tag.value = ${value} and tag.type = ${type})`;
}

/** Returns whether a filter matches only a handful of entries, which are then read at once. */
export const isSelectiveFilter = ({ generation_id, workflow_run_id }: LedgerFilter): boolean =>
  generation_id !== undefined || workflow_run_id !== undefined;

const GENERATION_ENTRY_TYPES = ['RESERVE', 'RELEASE', 'SETTLE', 'REFUND'] as const satisfies readonly LedgerType[];
const TASK_MODEL_PAIRS = TASK_IDS.flatMap((task): { task: TaskId; model: ModelId | null }[] => {
  const models = modelsForTask(task);
  return models.length > 0 ? models.map((model) => ({ task, model })) : [{ task, model: null }];
});

/**
 * Builds a query for the newest entries of a filter by task, model or key. Each combination of open filters has its own
 * range of an index: the newest entries of each are read and the newest of all kept, so that the cost depends neither
 * on the number of entries nor on how few of them match.
 * @returns a query for their `seq`; null if nothing can match
 */
export function newestSeqQuery(
  organization_id: string,
  filter: LedgerFilter,
  range: SeqRange,
  limit: number,
): SQL | null {
  const types = GENERATION_ENTRY_TYPES.filter((type) => filter.type === undefined || filter.type === type);
  const pairs = TASK_MODEL_PAIRS.filter(
    ({ task, model }) =>
      (filter.task === undefined || filter.task === task) && (filter.model === undefined || filter.model === model),
  );
  const cells = pairs.flatMap(({ task, model }) =>
    types.map((type) => sql`(${task}::text, ${model ?? ''}::text, ${type}::text)`),
  );
  if (cells.length === 0) return null;
  return sql`select newest.seq from (values ${sql.join(cells, sql`, `)}) as cell (task, model, type) cross join lateral (
    select e.seq from ledger_entries e where e.organization_id = ${organization_id}
      ${filter.key_id === undefined ? sql`` : sql`and e.key_id = ${filter.key_id}`}
      ${filter.key_ids ? sql`and e.key_id = any(${sql.param([...filter.key_ids])}::text[])` : sql``}
      and e.task = cell.task and coalesce(e.model, '') = cell.model and e.type = cell.type
      and e.seq >= ${range.first} and e.seq < ${range.end} order by e.seq desc limit ${limit}
  ) as newest order by newest.seq desc limit ${limit}`;
}
