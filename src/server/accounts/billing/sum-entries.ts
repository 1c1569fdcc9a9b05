import { type SQL, and, eq, gte, inArray, isNotNull, lt, ne, or, sql } from 'drizzle-orm';
import { LEDGER_TYPES, type LedgerType, type SpendingGroup } from '#contract/ledger.ts';
import { formatUsd } from '#contract/money.ts';
import type { LedgerSums } from '#contract/resources/ledger.ts';
import { ledgerDays, ledgerEntries } from '#server/platform/db/billing-schema.ts';
import { parseQueryTime } from '#server/platform/db/created-within.ts';
import type { Db } from '#server/platform/db/db.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { generations } from '#server/platform/db/schema.ts';
import { type LedgerFilter, ledgerFilterCondition } from './ledger-filter.ts';
import { hasTags, type SpendingScope } from './spending-scope.ts';

export const DAY_MS = 24 * 3_600_000;
export const SPENDING_TYPES = ['SETTLE', 'REFUND'] as const satisfies readonly LedgerType[];

export type SumDimension = SpendingGroup | 'day';

/** `[from, to)`; undefined: unbounded. */
export interface OptionalPeriod {
  from?: Date | undefined;
  to?: Date | undefined;
}

type SumFilter = OptionalPeriod &
  Pick<LedgerFilter, 'task' | 'model' | 'key_id' | 'key_ids' | 'tags' | 'generation_id' | 'workflow_run_id' | 'seq'> & {
    types?: readonly LedgerType[];
  };

export interface EntrySum {
  type: LedgerType;
  /**
   * One per requested dimension, in their order: a day, a task, a model, a key (also of `person`), or the value of a
   * tag. Null: none.
   */
  values: readonly (string | null)[];
  amount_micro_usd: bigint;
  count: number;
}

/**
 * Sums entries in `[from, to)` by type and dimensions: whole UTC days from the stored sums of days, partial days from
 * entries, and so what days do not have: generations, workflow runs and numbers.
 */
export async function sumEntries(
  db: Pick<Db, 'execute' | 'select'>,
  organization_id: string,
  filter: SumFilter,
  by: readonly SumDimension[] = [],
): Promise<EntrySum[]> {
  const { days, edges } = splitPeriod(filter);
  const sources = [
    ...(days ? [selectDays(db, organization_id, filter, { ...days, by_tags: by.some(isTag) })] : []),
    ...(edges.length > 0 ? [selectEntries(db, organization_id, filter, edges)] : []),
  ];
  if (sources.length === 0) return [];
  const columns = by.map((dimension, index) => sql`, ${dimensionColumn(dimension)} as ${valueName(index)}`);
  const values = by.map((_, index) => sql`${valueName(index)}::text`);
  // Plain columns are grouped several times faster than texts; names of tags are parameters, which cannot be repeated.
  const positions = sql.raw(['1', ...by.map((_, index) => `${index + 2}`)].join(', '));
  const rows = await readRows<Pick<EntrySum, 'type' | 'values' | 'count'> & { amount: string }>(
    db,
    sql`select type, array[${sql.join(values, sql`, `)}]::text[] as values, amount::text, count::int from (
      select type ${sql.join(columns)}, sum(amount_micro_usd) as amount, sum(count) as count
      from (${sql.join(sources, sql` union all `)}) as entries group by ${positions}) as sums`,
  );
  return rows.map(({ amount, ...row }) => ({ ...row, amount_micro_usd: BigInt(amount) }));
}

const valueName = (index: number): SQL => sql.raw(`value_${index}`);

const TAG_PREFIX = 'tag:';
const isTag = (by: SumDimension): boolean => by.startsWith(TAG_PREFIX);

function dimensionColumn(by: SumDimension): SQL {
  if (by === 'day') return sql`date`;
  if (by === 'task') return sql`nullif(task, '')`;
  if (by === 'model') return sql`nullif(model, '')`;
  if (by === 'key' || by === 'person') return sql`nullif(key_id, '')`;
  return sql`tags ->> ${by.slice(TAG_PREFIX.length)}`;
}

function splitPeriod(filter: SumFilter): { days: OptionalPeriod | null; edges: OptionalPeriod[] } {
  const { from, to, generation_id, workflow_run_id, seq } = filter;
  if (from && to && from >= to) return { days: null, edges: [] };
  const days = { from: from && roundToDay(from, Math.ceil), to: to && roundToDay(to, Math.floor) };
  const isEmpty = days.from && days.to && days.from >= days.to;
  if (isEmpty || (generation_id ?? workflow_run_id ?? seq) !== undefined) return { days: null, edges: [{ from, to }] };
  const edges = [
    { from, to: days.from },
    { from: days.to, to },
  ];
  return { days, edges: edges.filter((edge) => edge.from && edge.to && edge.from < edge.to) };
}

const roundToDay = (time: Date, round: (days: number) => number): Date =>
  new Date(round(time.getTime() / DAY_MS) * DAY_MS);

const formatDay = (time: Date): string => time.toISOString().slice(0, 10);

function selectDays(
  db: Pick<Db, 'select'>,
  organization_id: string,
  { types = LEDGER_TYPES, task, model, key_id, key_ids, tags }: SumFilter,
  { from, to, by_tags }: OptionalPeriod & { by_tags: boolean },
): SQL {
  const days = ledgerDays;
  const { type, date, amount_micro_usd, count } = days;
  return db
    .select({
      type,
      date,
      key_id: days.key_id,
      task: days.task,
      model: days.model,
      tags: days.tags,
      amount_micro_usd,
      count,
    })
    .from(days)
    .where(
      and(
        eq(days.organization_id, organization_id),
        eq(days.by_tags, by_tags || (tags?.size ?? 0) > 0),
        inArray(type, [...types]),
        from && gte(date, formatDay(from)),
        to && lt(date, formatDay(to)),
        task && eq(days.task, task),
        model && eq(days.model, model),
        key_id ? eq(days.key_id, key_id) : undefined,
        key_ids ? inArray(days.key_id, [...key_ids]) : undefined,
        // An entry without a generation has no tags, and is not what has none.
        tags?.size ? and(ne(days.key_id, ''), hasTags(sql`${days.tags}`, tags)) : undefined,
      ),
    )
    .getSQL();
}

function selectEntries(
  db: Pick<Db, 'select'>,
  organization_id: string,
  { types = LEDGER_TYPES, tags, seq, from: _from, to: _to, ...filter }: SumFilter,
  periods: readonly OptionalPeriod[],
): SQL {
  const { type, created_at, key_id, task, model, amount_micro_usd } = ledgerEntries;
  return db
    .select({
      type,
      date: sql`(${created_at} at time zone 'UTC')::date`.as('date'),
      key_id,
      task,
      model,
      tags: generations.tags,
      amount_micro_usd,
      count: sql`1`.as('count'),
    })
    .from(ledgerEntries)
    .leftJoin(generations, eq(generations.id, ledgerEntries.generation_id))
    .where(
      and(
        eq(ledgerEntries.organization_id, organization_id),
        inArray(type, [...types]),
        or(...periods.map(({ from, to }) => and(from && gte(created_at, from), to && lt(created_at, to)))),
        ledgerFilterCondition(filter),
        seq === undefined ? undefined : eq(ledgerEntries.seq, BigInt(seq)),
        tags?.size ? and(isNotNull(ledgerEntries.generation_id), hasTags(sql`${generations.tags}`, tags)) : undefined,
      ),
    )
    .getSQL();
}

export interface SpendingSum {
  /** As of `EntrySum`. */
  values: readonly (string | null)[];
  /** SETTLE less REFUND. */
  spent_micro_usd: bigint;
  /** Charges. */
  count: number;
}

/** Sums the spending of a scope by dimensions; charges and refunds may have the same values. */
export async function sumSpending(
  db: Pick<Db, 'execute' | 'select'>,
  { organization_id, key_ids, tags }: Pick<SpendingScope, 'organization_id' | 'key_ids' | 'tags'>,
  period: OptionalPeriod,
  by: readonly SumDimension[],
): Promise<SpendingSum[]> {
  const sums = await sumEntries(db, organization_id, { ...period, key_ids, tags, types: SPENDING_TYPES }, by);
  return sums.map(({ type, values, amount_micro_usd, count }) => ({
    values,
    spent_micro_usd: -amount_micro_usd,
    count: type === 'SETTLE' ? count : 0,
  }));
}

/** SETTLE less REFUND. */
export const netSpending = (sums: readonly EntrySum[]): bigint =>
  sums.reduce((net, { type, amount_micro_usd }) => (isSpending(type) ? net - amount_micro_usd : net), 0n);

const isSpending = (type: LedgerType): boolean => SPENDING_TYPES.some((each) => each === type);

export async function sumLedger(
  db: Pick<Db, 'execute' | 'select'>,
  organization_id: string,
  { type, created_after, created_before, ...filter }: LedgerFilter,
): Promise<LedgerSums> {
  const sums = await sumEntries(db, organization_id, {
    ...filter,
    ...(type === undefined ? {} : { types: [type] }),
    from: created_after === undefined ? undefined : parseQueryTime(created_after),
    to: created_before === undefined ? undefined : parseQueryTime(created_before),
  });
  return {
    object: 'ledger_sums',
    count: sums.reduce((total, { count }) => total + count, 0),
    amount_usd: formatUsd(sums.reduce((total, { amount_micro_usd }) => total + amount_micro_usd, 0n)),
    spent_usd: formatUsd(netSpending(sums)),
    by_type: sums.map(({ type, amount_micro_usd, count }) => ({
      type,
      amount_usd: formatUsd(amount_micro_usd),
      count,
    })),
  };
}
