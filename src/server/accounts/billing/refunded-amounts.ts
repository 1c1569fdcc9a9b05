import { and, eq, inArray, sql } from 'drizzle-orm';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';

export async function readRefundedAmounts(
  { db }: { db: Pick<Db, 'select'> },
  generationIds: readonly string[],
): Promise<Map<string, bigint>> {
  if (generationIds.length === 0) return new Map();
  const { generation_id, type, amount_micro_usd } = ledgerEntries;
  const rows = await db
    .select({ id: generation_id, sum: sql<string>`sum(${amount_micro_usd})::text` })
    .from(ledgerEntries)
    .where(and(inArray(generation_id, [...generationIds]), eq(type, 'REFUND')))
    .groupBy(generation_id);
  return new Map(rows.flatMap(({ id, sum }) => (id === null ? [] : [[id, BigInt(sum)]])));
}
