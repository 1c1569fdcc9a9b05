import { type SQL, and, eq, inArray, sql } from 'drizzle-orm';
import type { BatchOrderStatus } from '#contract/statuses.ts';
import { batchOrders } from '#server/platform/db/schema/batch-schema.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { generations } from '#server/platform/db/schema/schema.ts';

type Reader = { db: Pick<Db, 'select'> };

/** Status of an order: that of its generation once it has one. Needs a left join of its generation. */
export const orderStatus: SQL<BatchOrderStatus> = sql`case
  when ${batchOrders.state} <> 'placed' then ${batchOrders.state}
  when ${generations.status} in ('queued', 'running') then 'active'
  else ${generations.status} end`;

export interface BatchSums {
  counts: ReadonlyMap<BatchOrderStatus, number>;
  spent_micro_usd: bigint;
  reserved_micro_usd: bigint;
}

export async function readBatchSums({ db }: Reader, ids: readonly string[]): Promise<(id: string) => BatchSums> {
  const counts = new Map<string, Map<BatchOrderStatus, number>>();
  for (const { id, status, count } of await countOrders({ db }, ids)) {
    const ofBatch = counts.get(id) ?? new Map<BatchOrderStatus, number>();
    counts.set(id, ofBatch.set(status, count));
  }
  const money = await readBatchMoney({ db }, ids);
  return (id) => ({ counts: counts.get(id) ?? new Map(), ...money(id) });
}

async function countOrders({ db }: Reader, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .select({ id: batchOrders.batch_id, status: orderStatus, count: sql<number>`count(*)::int` })
    .from(batchOrders)
    .leftJoin(generations, eq(generations.id, batchOrders.generation_id))
    .where(inArray(batchOrders.batch_id, [...ids]))
    .groupBy(batchOrders.batch_id, sql`2`);
}

/** What the generations of batches cost, earlier attempts included. */
export async function readBatchMoney(
  { db }: Reader,
  ids: readonly string[],
): Promise<(id: string) => Pick<BatchSums, 'spent_micro_usd' | 'reserved_micro_usd'>> {
  if (ids.length === 0) return () => ({ spent_micro_usd: 0n, reserved_micro_usd: 0n });
  const { batch_id, amount_micro_usd, billing_status } = generations;
  const isListed = inArray(batch_id, [...ids]);
  const sumOf = (filter: SQL) => sql<string>`coalesce(sum(${amount_micro_usd}) filter (where ${filter}), 0)::text`;
  const rows = await db
    .select({
      id: batch_id,
      reserved: sumOf(sql`${billing_status} = 'reserved'`),
      charged: sumOf(sql`${billing_status} in ('settled', 'refunded')`),
    })
    .from(generations)
    .where(isListed)
    .groupBy(batch_id);
  const refunds = await db
    .select({ id: batch_id, sum: sql<string>`sum(${ledgerEntries.amount_micro_usd})::text` })
    .from(generations)
    .innerJoin(ledgerEntries, and(eq(ledgerEntries.generation_id, generations.id), eq(ledgerEntries.type, 'REFUND')))
    .where(isListed)
    .groupBy(batch_id);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const refunded = new Map(refunds.map(({ id, sum }) => [id, BigInt(sum)]));
  return (id) => {
    const row = byId.get(id);
    return {
      reserved_micro_usd: BigInt(row?.reserved ?? 0),
      spent_micro_usd: BigInt(row?.charged ?? 0) - (refunded.get(id) ?? 0n),
    };
  };
}
