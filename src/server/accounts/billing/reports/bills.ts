import { and, eq, inArray } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { parseUsd } from '#contract/money/money.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { type SeqRange, seqRangeCondition } from '#server/accounts/billing/ledger/ledger-filter.ts';

/** What a generation's row states about its charge, and whether the ledger has it. */
export interface ChargeRecord {
  amount_micro_usd: bigint;
  itemsMicroUsd: bigint;
  isSettled: boolean;
  isCharged: boolean;
}

const charges = alias(ledgerEntries, 'charges');

/** Reads the bills of generations that were released or charged within a range, by generation id. */
export async function readBills(
  { db }: { db: Pick<Db, 'select'> },
  organizationId: string,
  range: SeqRange,
): Promise<Map<string, ChargeRecord>> {
  const { id, amount_micro_usd, line_items, billing_status } = generations;
  const rows = await db
    .select({ id, amount_micro_usd, line_items, billing_status, chargeId: charges.id })
    .from(ledgerEntries)
    .innerJoin(generations, eq(id, ledgerEntries.generation_id))
    .leftJoin(charges, and(eq(charges.generation_id, id), eq(charges.type, 'SETTLE')))
    .where(and(seqRangeCondition(organizationId, range), inArray(ledgerEntries.type, ['RELEASE', 'SETTLE'])));
  return new Map(
    rows.map((row) => [
      row.id,
      {
        amount_micro_usd: row.amount_micro_usd,
        itemsMicroUsd: row.line_items.reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n),
        isSettled: row.billing_status === 'settled' || row.billing_status === 'refunded',
        isCharged: row.chargeId !== null,
      },
    ]),
  );
}
