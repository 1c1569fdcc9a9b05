import type { LedgerType } from '#contract/ledger-types.ts';
import { and, sql } from 'drizzle-orm';
import { formatUsd } from '#contract/money.ts';
import type { LedgerSums } from '#contract/resources/billing.ts';
import type { Deps } from '../deps.ts';
import { ledgerEntries } from '../db/billing-schema.ts';
import { windowsOf } from './entries.ts';
import { type LedgerFilter, type SeqRange, isNarrow, matches, seqRange, within } from './ledger-filter.ts';

export type TypeSums = Map<LedgerType, { amount_micro_usd: bigint; count: number }>;

const WINDOW = 20_000n;

/** What the entries of a filter add up to, by type. */
export async function sumByType(
  { db }: Pick<Deps, 'db'>,
  organization_id: string,
  filter: LedgerFilter,
  range: SeqRange,
): Promise<TypeSums> {
  const sums: TypeSums = new Map();
  for await (const window of isNarrow(filter) ? [range] : windowsOf(range, WINDOW)) {
    const rows = await db
      .select({
        type: ledgerEntries.type,
        amount: sql<string>`sum(${ledgerEntries.amount_micro_usd})::text`,
        count: sql<number>`count(*)::int`,
      })
      .from(ledgerEntries)
      .where(and(within(organization_id, window), matches(filter)))
      .groupBy(ledgerEntries.type);
    for (const { type, amount, count } of rows) {
      const sum = sums.get(type) ?? { amount_micro_usd: 0n, count: 0 };
      sums.set(type, { amount_micro_usd: sum.amount_micro_usd + BigInt(amount), count: sum.count + count });
    }
  }
  return sums;
}

/** SETTLE less REFUND. */
export const spentOf = (sums: TypeSums): bigint =>
  -(sums.get('SETTLE')?.amount_micro_usd ?? 0n) - (sums.get('REFUND')?.amount_micro_usd ?? 0n);

export const presentSums = (sums: TypeSums): LedgerSums['by_type'] =>
  [...sums].map(([type, { amount_micro_usd, count }]) => ({ type, amount_usd: formatUsd(amount_micro_usd), count }));

/** Sums of all entries that a filter matches at this moment. */
export async function sumLedger(
  deps: Pick<Deps, 'db'>,
  organization_id: string,
  filter: LedgerFilter,
): Promise<LedgerSums> {
  const sums = await sumByType(deps, organization_id, filter, await seqRange(deps, organization_id, filter));
  const rows = [...sums.values()];
  return {
    object: 'ledger_sums',
    count: rows.reduce((total, { count }) => total + count, 0),
    amount_usd: formatUsd(rows.reduce((total, { amount_micro_usd }) => total + amount_micro_usd, 0n)),
    spent_usd: formatUsd(spentOf(sums)),
    by_type: presentSums(sums),
  };
}
