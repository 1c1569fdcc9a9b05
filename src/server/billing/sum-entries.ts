import type { LedgerType } from '#contract/ledger.ts';
import { and, sql } from 'drizzle-orm';
import { formatUsd } from '#contract/money.ts';
import type { LedgerSums } from '#contract/resources/billing.ts';
import type { Deps } from '#server/deps.ts';
import { ledgerEntries } from '#server/db/billing-schema.ts';
import { seqWindows } from './read-entries.ts';
import {
  type LedgerFilter,
  type SeqRange,
  isSelectiveFilter,
  ledgerFilterCondition,
  resolveSeqRange,
  seqRangeCondition,
} from './ledger-filter.ts';

export type SumsByType = Map<LedgerType, { amount_micro_usd: bigint; count: number }>;

const WINDOW_ENTRIES = 20_000n;

export async function sumEntriesByType(
  { db }: { db: Pick<Deps['db'], 'select'> },
  organization_id: string,
  filter: LedgerFilter,
  range: SeqRange,
): Promise<SumsByType> {
  const sums: SumsByType = new Map();
  for await (const window of isSelectiveFilter(filter) ? [range] : seqWindows(range, WINDOW_ENTRIES)) {
    const rows = await db
      .select({
        type: ledgerEntries.type,
        amount: sql<string>`sum(${ledgerEntries.amount_micro_usd})::text`,
        count: sql<number>`count(*)::int`,
      })
      .from(ledgerEntries)
      .where(and(seqRangeCondition(organization_id, window), ledgerFilterCondition(filter)))
      .groupBy(ledgerEntries.type);
    for (const { type, amount, count } of rows) {
      const sum = sums.get(type) ?? { amount_micro_usd: 0n, count: 0 };
      sums.set(type, { amount_micro_usd: sum.amount_micro_usd + BigInt(amount), count: sum.count + count });
    }
  }
  return sums;
}

/** SETTLE less REFUND. */
export const netSpending = (sums: SumsByType): bigint =>
  -(sums.get('SETTLE')?.amount_micro_usd ?? 0n) - (sums.get('REFUND')?.amount_micro_usd ?? 0n);

const presentSumsByType = (sums: SumsByType): LedgerSums['by_type'] =>
  [...sums].map(([type, { amount_micro_usd, count }]) => ({ type, amount_usd: formatUsd(amount_micro_usd), count }));

export async function sumLedger(
  deps: Pick<Deps, 'db'>,
  organization_id: string,
  filter: LedgerFilter,
): Promise<LedgerSums> {
  const sums = await sumEntriesByType(
    deps,
    organization_id,
    filter,
    await resolveSeqRange(deps, organization_id, filter),
  );
  const rows = [...sums.values()];
  return {
    object: 'ledger_sums',
    count: rows.reduce((total, { count }) => total + count, 0),
    amount_usd: formatUsd(rows.reduce((total, { amount_micro_usd }) => total + amount_micro_usd, 0n)),
    spent_usd: formatUsd(netSpending(sums)),
    by_type: presentSumsByType(sums),
  };
}
