import { and, inArray, sql } from 'drizzle-orm';
import type { Db } from '#server/db/db.ts';
import { ledgerEntries } from '#server/db/billing-schema.ts';

/**
 * What generations were charged, less what was given back, in micro-dollars; those that were not charged are left out.
 */
export async function readNetCharges(db: Db, generation_ids: readonly string[]): Promise<Map<string, bigint>> {
  if (generation_ids.length === 0) return new Map();
  const rows = await db
    .select({
      id: ledgerEntries.generation_id,
      charged: sql<string>`(-sum(${ledgerEntries.amount_micro_usd}))::text`,
    })
    .from(ledgerEntries)
    .where(
      and(inArray(ledgerEntries.generation_id, [...generation_ids]), inArray(ledgerEntries.type, ['SETTLE', 'REFUND'])),
    )
    .groupBy(ledgerEntries.generation_id);
  return new Map(rows.flatMap(({ id, charged }) => (id === null ? [] : [[id, BigInt(charged)]])));
}
