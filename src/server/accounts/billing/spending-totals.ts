import { type SQL, and, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { spendingTotals } from '#server/platform/db/billing-schema.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
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
import type { SpendingScope } from './spending-scope.ts';

/** Days that one transaction adds. */
const DAYS_AT_ONCE = 31;

/**
 * Adds the totals of days that are over: entries never get an earlier time than those before them.
 * @returns how many parts of histories were added
 */
export async function addSpendingTotals(db: Db): Promise<number> {
  for (let added = 0; ;) {
    const behind = await readRows<{ id: string; first: string; end: string }>(
      db,
      sql`select a.organization_id as id, next.date::text as first, least(next.date + ${DAYS_AT_ONCE}::int, today.date)::text as end
        from accounts a cross join lateral (select (a.last_entry_at at time zone 'UTC')::date as date) today
        cross join lateral (
          select d.date from spending_days d where d.organization_id = a.organization_id and d.date > coalesce((
            select t.date from spending_totals t where t.organization_id = a.organization_id and t.tag = '' order by t.date desc limit 1
          ), '-infinity') order by d.date limit 1
        ) next
        where next.date < today.date`,
    );
    if (behind.length === 0) return added;
    for (const { id, first, end } of behind) {
      await db.transaction((tx) => addDays(tx, id, first, end));
      added += 1;
    }
  }
}

/** Another worker may add the same rows. */
async function addDays(tx: Tx, organization_id: string, first: string, end: string): Promise<void> {
  const insert = sql`insert into spending_totals (organization_id, tag, date, value, key_id, task, model, spent_micro_usd, count)`;
  const days = sql`d.organization_id = ${organization_id} and d.date >= ${first}::date and d.date < ${end}::date`;
  const sums = sql`sum(d.spent_micro_usd), sum(d.count) from spending_days d`;
  const tags = sql`cross join lateral jsonb_each_text(d.tags::jsonb) as tags (name, value)`;
  await tx.execute(sql`${insert} select d.organization_id, '', d.date, '', d.key_id, d.task, d.model, ${sums}
    where ${days} group by 1, 3, 5, 6, 7 on conflict do nothing`);
  await tx.execute(sql`${insert} select d.organization_id, tags.name, d.date, tags.value, '', '', '', ${sums} ${tags}
    where ${days} group by 1, 2, 3, 4 on conflict do nothing`);
  await tx.execute(sql`${insert} select d.organization_id, tags.name || '=' || tags.value, d.date, '', d.key_id, d.task, d.model, ${sums} ${tags}
    where ${days} group by 1, 2, 3, 5, 6, 7 on conflict do nothing`);
}

type Reader = { db: Pick<Db, 'select'> };

interface TotalsPeriod {
  organization_id: string;
  from: Date;
  to: Date;
}

/** Reads what totals have of a range of whole days. @returns where the rest of it starts */
export async function readSpendingTotals(
  reader: Reader,
  scope: SpendingScope,
  { from, to }: { from: Date; to: Date },
  by: readonly SpendingDimension[],
): Promise<{ buckets: SpendingBucket[]; rest: Date }> {
  const source = totalsOf(scope, by);
  const end = source === null ? from : await endOfTotals(reader, scope.organization_id, to);
  if (source === null || end <= from) return { buckets: [], rest: from };
  const { organization_id, key_ids } = scope;
  const period = { organization_id, from, to: end };
  const all = await readTotals(reader, { ...period, tag: source.tag, key_ids, value: null }, by);
  if (source.dimension === null) return { buckets: all, rest: end };
  const tag = { ...period, tag: source.dimension, key_ids: null };
  const values = await readTotals(reader, { ...tag, value: source.dimension }, by);
  const tagged = await readTotals(reader, { ...tag, value: null }, by);
  return { buckets: [...values, ...subtract(all, tagged)], rest: end };
}

async function endOfTotals({ db }: Reader, organization_id: string, to: Date): Promise<Date> {
  const [newest] = await db
    .select({ date: sql<string | null>`max(${spendingTotals.date})::text` })
    .from(spendingTotals)
    .where(and(eq(spendingTotals.organization_id, organization_id), eq(spendingTotals.tag, '')));
  return new Date(newest?.date == null ? 0 : Math.min(Date.parse(newest.date) + DAY_MS, to.getTime()));
}

interface TotalsQuery extends TotalsPeriod {
  tag: string;
  key_ids: readonly string[] | null;
  /** The tag whose values are a dimension; null: none has a value. */
  value: string | null;
}

async function readTotals(
  { db }: Reader,
  query: TotalsQuery,
  by: readonly SpendingDimension[],
): Promise<SpendingBucket[]> {
  const { organization_id, tag, date, value, task, model, key_id, spent_micro_usd, count } = spendingTotals;
  const columns = {
    day: sql`${date}`,
    task: sql`${task}`,
    model: sql`nullif(${model}, '')`,
    key: sql`${key_id}`,
    tags: query.value === null ? sql`'{}'::jsonb` : sql`jsonb_build_object(${query.value}::text, ${value})`,
  };
  const rows = await db
    .select({
      values: selectDimensions(columns, by),
      spent: sql<string>`sum(${spent_micro_usd})::text`,
      count: sql<number>`sum(${count})::int`,
    })
    .from(spendingTotals)
    .where(
      and(
        eq(organization_id, query.organization_id),
        eq(tag, query.tag),
        gte(date, formatDay(query.from)),
        lt(date, formatDay(query.to)),
        query.key_ids === null ? undefined : inArray(key_id, [...query.key_ids]),
      ),
    )
    .groupBy(...groupColumns(query, by));
  return rows.map(toBucket);
}

/** Plain columns are grouped several times faster than the texts that are made of them. */
function groupColumns({ value }: TotalsQuery, by: readonly SpendingDimension[]): (SQL | PgColumn)[] {
  const { date, task, model, key_id } = spendingTotals;
  const columns = by.flatMap((dimension): PgColumn[] => {
    if (dimension === 'day') return [date];
    if (dimension === 'task') return [task];
    if (dimension === 'model') return [model];
    if (dimension === 'key' || dimension === 'person') return [key_id];
    return value === null ? [] : [spendingTotals.value];
  });
  return columns.length === 0 ? [FIRST_COLUMN] : columns;
}

/** What is left of all spending without that which has a tag. */
function subtract(all: readonly SpendingBucket[], tagged: readonly SpendingBucket[]): SpendingBucket[] {
  const sums = new Map(tagged.map((bucket) => [JSON.stringify(bucket.values), bucket]));
  return all
    .map(({ values, spent_micro_usd, count }) => {
      const less = sums.get(JSON.stringify(values));
      return {
        values,
        spent_micro_usd: spent_micro_usd - (less?.spent_micro_usd ?? 0n),
        count: count - (less?.count ?? 0),
      };
    })
    .filter(({ spent_micro_usd, count }) => spent_micro_usd !== 0n || count !== 0);
}

/** Returns the totals with the tags of a request, and the tag that is a dimension of it; null: none do. */
function totalsOf({ tags, key_ids }: SpendingScope, by: readonly SpendingDimension[]) {
  const [dimension = null, ...others] = by.filter((each) => each.startsWith(TAG_PREFIX));
  const [filter, ...more] = tags;
  if (others.length > 0 || more.length > 0 || filter?.[1] === null) return null;
  const tag = filter ? `${filter[0]}=${filter[1]}` : '';
  if (dimension === null) return { tag, dimension };
  // Sums by value of a tag are not divided further.
  const is_alone = by.every((each) => each === dimension || each === 'day') && !filter && key_ids === null;
  return is_alone ? { tag, dimension: dimension.slice(TAG_PREFIX.length) } : null;
}
