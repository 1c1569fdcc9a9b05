import { type SQL, sql } from 'drizzle-orm';
import { modelsForTask } from '#contract/catalog.ts';
import { type ModelId, TASK_IDS, type TaskId } from '#contract/ids.ts';
import type { LedgerType } from '#contract/ledger.ts';
import { type LedgerFilter, type SeqRange, bothSigns } from './ledger-filter.ts';

export interface SourceQuery {
  organization_id: string;
  filter: LedgerFilter;
  range: SeqRange;
  /** Undefined for all. */
  types: readonly LedgerType[] | undefined;
  /** By default the newest come first. */
  order?: 'asc' | 'desc';
}
/** Builds a query for the first `seq` of one part of a filter. */
export type SeqSource = (limit: number) => SQL;

/** Types of entries that belong to a generation. */
export const GENERATION_ENTRY_TYPES: readonly LedgerType[] = ['RESERVE', 'RELEASE', 'SETTLE', 'REFUND'];
/** Every task with each of its models. */
export const TASK_MODEL_PAIRS = TASK_IDS.flatMap((task): { task: TaskId; model: ModelId | null }[] => {
  const models = modelsForTask(task);
  return models.length > 0 ? models.map((model) => ({ task, model })) : [{ task, model: null }];
});

/**
 * Returns the entries by task, model, key and type, and those of each tag and amount. Each source costs neither by the
 * number of entries nor by how few of them match: it reads the first of each range of an index.
 */
export function seqSources(query: SourceQuery): { main: SeqSource; others: SeqSource[] } {
  const { filter } = query;
  const isOfWork = [filter.task, filter.model, filter.key_id, filter.key_ids].some((value) => value != null);
  const values = [...(filter.tags ?? [])].filter((tag): tag is [string, string] => tag[1] !== null);
  const { amount_micro_usd } = filter;
  return {
    main: isOfWork ? sourceOfWork(query) : sourceOfTypes(query),
    others: [
      ...(amount_micro_usd === undefined ? [] : [sourceOfAmount(query, amount_micro_usd)]),
      ...values.map(([name, value]) => sourceOfTag(query, name, value)),
    ],
  };
}

const rows = (values: SQL[]): SQL => sql`(values ${sql.join(values, sql`, `)})`;
const rowsOf = (texts: readonly string[]): SQL => rows(texts.map((text) => sql`(${text}::text)`));
const orderOf = ({ order = 'desc' }: SourceQuery): SQL => sql.raw(order);
const inRange = (query: SourceQuery, column: SQL): SQL =>
  sql`${column} >= ${query.range.first} and ${column} < ${query.range.end} order by ${column} ${orderOf(query)}`;
const NOTHING: SeqSource = () => sql`select 0::bigint as seq where false`;

/** The first of each range, and of those the first. */
const firstOf =
  (query: SourceQuery, ranges: SQL, first: SQL): SeqSource =>
  (limit) =>
    sql`select found.seq from ${ranges} cross join lateral (${first} limit ${limit}) as found
      order by found.seq ${orderOf(query)} limit ${limit}`;

function sourceOfTypes(query: SourceQuery): SeqSource {
  const of_organization = sql`e.organization_id = ${query.organization_id}`;
  if (!query.types)
    return (limit) =>
      sql`select e.seq from ledger_entries e where ${of_organization} and ${inRange(query, sql`e.seq`)} limit ${limit}`;
  return firstOf(
    query,
    sql`${rowsOf(query.types)} as cell (type)`,
    sql`select e.seq from ledger_entries e where ${of_organization} and e.type = cell.type and ${inRange(query, sql`e.seq`)}`,
  );
}

/** Each combination of key, task, model and type has its own range of an index. */
function sourceOfWork(query: SourceQuery): SeqSource {
  const { filter, organization_id, types = GENERATION_ENTRY_TYPES } = query;
  const pairs = TASK_MODEL_PAIRS.filter(
    ({ task, model }) =>
      (filter.task === undefined || filter.task === task) && (filter.model === undefined || filter.model === model),
  );
  const cells = pairs.flatMap(({ task, model }) =>
    types
      .filter((type) => GENERATION_ENTRY_TYPES.includes(type))
      .map((type) => sql`(${task}::text, ${model ?? ''}::text, ${type}::text)`),
  );
  const { key_id, key_ids } = filter;
  const keys = key_id === undefined ? key_ids : key_ids && !key_ids.includes(key_id) ? [] : [key_id];
  if (cells.length === 0 || keys?.length === 0) return NOTHING;
  const of_key = keys ? sql` and e.key_id = owner.key_id` : sql``;
  return firstOf(
    query,
    sql`${rows(cells)} as cell (task, model, type)${keys ? sql` cross join ${rowsOf(keys)} as owner (key_id)` : sql``}`,
    sql`select e.seq from ledger_entries e where e.organization_id = ${organization_id}${of_key}
      and e.task = cell.task and coalesce(e.model, '') = cell.model and e.type = cell.type and ${inRange(query, sql`e.seq`)}`,
  );
}

/** The entries of work of some keys, among those that the filter has. */
export const sourceOfKeys = (query: SourceQuery, ids: readonly string[]): SeqSource => {
  const { key_ids } = query.filter;
  const shared = key_ids ? ids.filter((id) => key_ids.includes(id)) : ids;
  return sourceOfWork({ ...query, filter: { ...query.filter, key_ids: shared } });
};

function sourceOfTag(query: SourceQuery, name: string, value: string): SeqSource {
  const types = GENERATION_ENTRY_TYPES.filter((type) => query.types === undefined || query.types.includes(type));
  if (types.length === 0) return NOTHING;
  return firstOf(
    query,
    sql`${rowsOf(types)} as cell (type)`,
    sql`select t.seq from ledger_tags t where t.organization_id = ${query.organization_id} and t.name = ${name}
      and t.value = ${value} and t.type = cell.type and ${inRange(query, sql`t.seq`)}`,
  );
}

const sourceOfAmount = (query: SourceQuery, size: bigint): SeqSource =>
  firstOf(
    query,
    sql`${rows(bothSigns(size).map((amount) => sql`(${amount}::bigint)`))} as cell (amount)`,
    sql`select e.seq from ledger_entries e where e.organization_id = ${query.organization_id}
      and e.amount_micro_usd = cell.amount and ${inRange(query, sql`e.seq`)}`,
  );
