import { and, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { SpendingGroup } from '#contract/ledger.ts';
import { ledgerEntries, spendingDays } from '#server/db/billing-schema.ts';
import type { Db } from '#server/db/db.ts';
import { generations } from '#server/db/schema.ts';
import { hasTags, type SpendingScope } from './spending-scope.ts';

export const DAY_MS = 24 * 3600 * 1000;

type SpendingReader = { db: Pick<Db, 'select'> };

export type SpendingDimension = SpendingGroup | 'day';

export interface SpendingBucket {
  /**
   * One per requested dimension, in their order: a day, a task, a model (null: none), a key (also of `person`), or the
   * value of a tag (null: none).
   */
  values: readonly (string | null)[];
  /** SETTLE less REFUND. */
  spent_micro_usd: bigint;
  count: number;
}

/**
 * Sums spending in `[from, to)` by dimensions: whole days from the stored sums, partial days from entries. Up to three
 * buckets may have the same values.
 */
export async function readSpendingBuckets(
  reading: SpendingReader,
  scope: SpendingScope,
  from: Date,
  to: Date,
  by: readonly SpendingDimension[],
): Promise<SpendingBucket[]> {
  const first = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const end = new Date(Math.floor(to.getTime() / DAY_MS) * DAY_MS);
  if (from >= to) return [];
  if (first >= end) {
    // Two partial days, or part of a single one.
    const middle = first < to ? first : to;
    return [
      ...(await readPartialDay(reading, scope, from, middle, by)),
      ...(await readPartialDay(reading, scope, middle, to, by)),
    ];
  }
  return [
    ...(await readPartialDay(reading, scope, from, first, by)),
    ...(await readWholeDays(reading, scope, first, end, by)),
    ...(await readPartialDay(reading, scope, end, to, by)),
  ];
}

/** Sums SETTLE less REFUND of all days since `from`. */
export async function sumSpendingSince({ db }: SpendingReader, scope: SpendingScope, from: Date): Promise<bigint> {
  const [row] = await db
    .select({ spent: sql<string>`coalesce(sum(${spendingDays.spent_micro_usd}), 0)::text` })
    .from(spendingDays)
    .where(and(inScope(scope), gte(spendingDays.date, formatDay(from))));
  return BigInt(row?.spent ?? 0);
}

const formatDay = (time: Date): string => time.toISOString().slice(0, 10);

/** What dimensions are read from; `tags` is jsonb. */
type DimensionColumns = Record<'day' | 'task' | 'model' | 'key' | 'tags', SQL>;

const TAG_PREFIX = 'tag:';

function dimensionColumn(columns: DimensionColumns, by: SpendingDimension): SQL {
  if (by === 'person') return columns.key;
  if (by === 'day' || by === 'task' || by === 'model' || by === 'key') return columns[by];
  return sql`${columns.tags} ->> ${by.slice(TAG_PREFIX.length)}`;
}

const selectDimensions = (columns: DimensionColumns, by: readonly SpendingDimension[]) => {
  const texts = by.map((dimension) => sql`(${dimensionColumn(columns, dimension)})::text`);
  return sql<(string | null)[]>`array[${sql.join(texts, sql`, `)}]::text[]`;
};
/** Names of tags are parameters, so that the expression cannot be repeated. */
const FIRST_COLUMN = sql`1`;

async function readWholeDays(
  { db }: SpendingReader,
  scope: SpendingScope,
  from: Date,
  to: Date,
  by: readonly SpendingDimension[],
): Promise<SpendingBucket[]> {
  const { date, task, model, key_id, spent_micro_usd, count } = spendingDays;
  const columns = {
    day: sql`${date}`,
    task: sql`${task}`,
    model: sql`nullif(${model}, '')`,
    key: sql`${key_id}`,
    tags: tagsOfDay,
  };
  const rows = await db
    .select({
      values: selectDimensions(columns, by),
      // As text, because a sum may exceed what a double represents exactly.
      spent: sql<string>`sum(${spent_micro_usd})::text`,
      count: sql<number>`sum(${count})::int`,
    })
    .from(spendingDays)
    .where(and(inScope(scope), gte(date, formatDay(from)), lt(date, formatDay(to))))
    .groupBy(FIRST_COLUMN);
  return rows.map(toBucket);
}

async function readPartialDay(
  { db }: SpendingReader,
  { organization_id, key_ids, tags: tag_filter }: SpendingScope,
  from: Date,
  to: Date,
  by: readonly SpendingDimension[],
): Promise<SpendingBucket[]> {
  if (from >= to) return [];
  const { task, model, key_id, created_at, type, amount_micro_usd } = ledgerEntries;
  const columns = {
    day: sql`${formatDay(from)}`,
    task: sql`${task}`,
    model: sql`${model}`,
    key: sql`${key_id}`,
    tags: sql`${generations.tags}`,
  };
  const rows = await db
    .select({
      values: selectDimensions(columns, by),
      spent: sql<string>`(-sum(${amount_micro_usd}))::text`,
      count: sql<number>`(count(*) filter (where ${type} = 'SETTLE'))::int`,
    })
    .from(ledgerEntries)
    .innerJoin(generations, eq(generations.id, ledgerEntries.generation_id))
    .where(
      and(
        eq(ledgerEntries.organization_id, organization_id),
        key_ids === null ? undefined : inArray(key_id, [...key_ids]),
        hasTags(columns.tags, tag_filter),
        inArray(type, ['SETTLE', 'REFUND']),
        gte(created_at, from),
        lt(created_at, to),
      ),
    )
    .groupBy(FIRST_COLUMN);
  return rows.map(toBucket);
}

const toBucket = ({ values, spent, count }: { values: (string | null)[]; spent: string; count: number }) => ({
  values,
  spent_micro_usd: BigInt(spent),
  count,
});

const tagsOfDay = sql`${spendingDays.tags}::jsonb`;

const inScope = ({ organization_id, key_ids, tags }: SpendingScope): SQL | undefined =>
  and(
    eq(spendingDays.organization_id, organization_id),
    key_ids === null ? undefined : inArray(spendingDays.key_id, [...key_ids]),
    hasTags(tagsOfDay, tags),
  );
