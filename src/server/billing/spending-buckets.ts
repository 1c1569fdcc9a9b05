import { and, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { Db } from '#server/db/db.ts';
import { ledgerEntries, spendingDays } from '#server/db/billing-schema.ts';
import { generations } from '#server/db/schema.ts';
import { hasTags, type SpendingScope } from './spending-scope.ts';

export const DAY_MS = 24 * 3600 * 1000;

type SpendingReader = { db: Pick<Db, 'select'> };

export interface SpendingBucket {
  date: string;
  task: TaskId;
  model: ModelId | null;
  key_id: string;
  tags: Readonly<Record<string, string>>;
  /** SETTLE less REFUND. */
  spent_micro_usd: bigint;
  count: number;
}

/** Reads spending in `[from, to)`: whole days from the stored sums, partial days from entries. */
export async function readSpendingBuckets(
  reading: SpendingReader,
  scope: SpendingScope,
  from: Date,
  to: Date,
): Promise<SpendingBucket[]> {
  const first = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const end = new Date(Math.floor(to.getTime() / DAY_MS) * DAY_MS);
  if (from >= to) return [];
  if (first >= end) {
    // Two partial days, or part of a single one.
    const middle = first < to ? first : to;
    return [
      ...(await readPartialDay(reading, scope, from, middle)),
      ...(await readPartialDay(reading, scope, middle, to)),
    ];
  }
  return [
    ...(await readPartialDay(reading, scope, from, first)),
    ...(await readWholeDays(reading, scope, first, end)),
    ...(await readPartialDay(reading, scope, end, to)),
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

async function readWholeDays(
  { db }: SpendingReader,
  scope: SpendingScope,
  from: Date,
  to: Date,
): Promise<SpendingBucket[]> {
  const { date } = spendingDays;
  const rows = await db
    .select()
    .from(spendingDays)
    .where(and(inScope(scope), gte(date, formatDay(from)), lt(date, formatDay(to))));
  // The column holds a model or an empty text.
  return rows.map(({ model, tags, ...row }) => ({
    ...row,
    model: model === '' ? null : (model as ModelId),
    tags: parseTagText(tags),
  }));
}

async function readPartialDay(
  { db }: SpendingReader,
  { organization_id, key_ids, tags: tag_filter }: SpendingScope,
  from: Date,
  to: Date,
): Promise<SpendingBucket[]> {
  if (from >= to) return [];
  const { task, model, key_id, created_at, type, amount_micro_usd } = ledgerEntries;
  const { tags } = generations;
  const rows = await db
    .select({
      task,
      model,
      key_id,
      // As text, because a sum may exceed what a double represents exactly.
      spent: sql<string>`(-sum(${amount_micro_usd}))::text`,
      count: sql<number>`(count(*) filter (where ${type} = 'SETTLE'))::int`,
      tags,
    })
    .from(ledgerEntries)
    .innerJoin(generations, eq(generations.id, ledgerEntries.generation_id))
    .where(
      and(
        eq(ledgerEntries.organization_id, organization_id),
        key_ids === null ? undefined : inArray(key_id, [...key_ids]),
        hasTags(sql`${tags}`, tag_filter),
        inArray(type, ['SETTLE', 'REFUND']),
        gte(created_at, from),
        lt(created_at, to),
      ),
    )
    .groupBy(task, model, key_id, tags);
  return rows.flatMap(({ task: of_task, key_id: key, spent, ...row }) =>
    of_task === null || key === null
      ? []
      : [{ ...row, date: formatDay(from), task: of_task, key_id: key, spent_micro_usd: BigInt(spent) }],
  );
}

const inScope = ({ organization_id, key_ids, tags }: SpendingScope): SQL | undefined =>
  and(
    eq(spendingDays.organization_id, organization_id),
    key_ids === null ? undefined : inArray(spendingDays.key_id, [...key_ids]),
    hasTags(sql`${spendingDays.tags}::jsonb`, tags),
  );

/** Text of the column, which the trigger writes as a jsonb object of texts. */
const parseTagText = (text: string): SpendingBucket['tags'] =>
  text === '{}' ? NO_TAGS : (JSON.parse(text) as SpendingBucket['tags']);

const NO_TAGS: SpendingBucket['tags'] = {};
