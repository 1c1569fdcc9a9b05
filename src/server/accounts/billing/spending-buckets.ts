import { and, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { ledgerEntries, spendingDays } from '#server/platform/db/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { generations } from '#server/platform/db/schema.ts';
import { hasTags, type SpendingScope } from './spending-scope.ts';
import {
  DAY_MS,
  FIRST_COLUMN,
  formatDay,
  selectDimensions,
  type SpendingBucket,
  type SpendingDimension,
  TAG_PREFIX,
  toBucket,
} from './spending-dimensions.ts';
import { readSpendingTotals } from './spending-totals.ts';

type SpendingReader = { db: Pick<Db, 'select'> };

/**
 * Sums spending in `[from, to)` by dimensions: whole days from the stored sums, partial days from entries. Up to four
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
export async function sumSpendingSince(reader: SpendingReader, scope: SpendingScope, from: Date): Promise<bigint> {
  const buckets = await readWholeDays(reader, scope, from, LAST_DAY, []);
  return buckets.reduce((sum, { spent_micro_usd }) => sum + spent_micro_usd, 0n);
}

const LAST_DAY = new Date(Date.UTC(9999, 11, 31));

async function readWholeDays(
  reader: SpendingReader,
  scope: SpendingScope,
  from: Date,
  to: Date,
  by: readonly SpendingDimension[],
): Promise<SpendingBucket[]> {
  const { buckets, rest } = await readSpendingTotals(reader, scope, { from, to }, by);
  return [...buckets, ...(await readDays(reader, scope, rest, to, by))];
}

async function readDays(
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
  const entries = db
    .select({
      values: selectDimensions(columns, by),
      spent: sql<string>`(-sum(${amount_micro_usd}))::text`,
      count: sql<number>`(count(*) filter (where ${type} = 'SETTLE'))::int`,
    })
    .from(ledgerEntries)
    .$dynamic();
  const has_tags = tag_filter.size > 0 || by.some((dimension) => dimension.startsWith(TAG_PREFIX));
  const rows = await (
    has_tags ? entries.innerJoin(generations, eq(generations.id, ledgerEntries.generation_id)) : entries
  )
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

const tagsOfDay = sql`${spendingDays.tags}::jsonb`;

const inScope = ({ organization_id, key_ids, tags }: SpendingScope): SQL | undefined =>
  and(
    eq(spendingDays.organization_id, organization_id),
    key_ids === null ? undefined : inArray(spendingDays.key_id, [...key_ids]),
    hasTags(tagsOfDay, tags),
  );
