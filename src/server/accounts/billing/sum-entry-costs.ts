import { and, eq, inArray, sql } from 'drizzle-orm';
import { parseUsd } from '#contract/money.ts';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import { ledgerEntries } from '#server/platform/db/billing-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { upstreamJobs } from '#server/platform/db/schema.ts';
import { type LedgerFilter, type SeqRange, ledgerFilterCondition, seqRangeCondition } from './ledger-filter.ts';

export interface CostSums {
  /** null: of nothing a cost is known, like the margin. */
  cost_micro_usd: bigint | null;
  marginMicroUsd: bigint | null;
  known_count: number;
  unknown_count: number;
}

export const NO_COST_SUMS: CostSums = {
  cost_micro_usd: null,
  marginMicroUsd: null,
  known_count: 0,
  unknown_count: 0,
};

const plus = (a: bigint | null, b: bigint | null): bigint | null =>
  a === null && b === null ? null : (a ?? 0n) + (b ?? 0n);

const parseKnown = (amount: string | null | undefined): bigint | null => (amount == null ? null : parseUsd(amount));

/** Adds an entry as it is presented to a caller with `costs.read`. */
export function addEntryCost(sums: CostSums, { type, cost_usd, margin_usd }: LedgerEntry): void {
  sums.cost_micro_usd = plus(sums.cost_micro_usd, parseKnown(cost_usd));
  sums.marginMicroUsd = plus(sums.marginMicroUsd, parseKnown(margin_usd));
  if (type === 'SETTLE') sums[cost_usd == null ? 'unknown_count' : 'known_count'] += 1;
}

/** Sums what `presentEntryCost` says of the entries of a range; the counts are of charges with and without a known cost. */
export async function sumEntryCosts(
  { db }: { db: Pick<Db, 'select'> },
  organization_id: string,
  filter: LedgerFilter,
  range: SeqRange,
): Promise<CostSums> {
  const { type, amount_micro_usd, generation_id } = ledgerEntries;
  const { cost_micro_usd } = upstreamJobs;
  const [row] = await db
    .select({
      // Each finished generation has one RELEASE, in the transaction of its SETTLE.
      cost: sql<string | null>`(sum(${cost_micro_usd}) filter (where ${type} = 'RELEASE'))::text`,
      charged: sql<string | null>`(-sum(${amount_micro_usd})
        filter (where ${type} <> 'RELEASE' and ${cost_micro_usd} is not null))::text`,
      known_count: sql<number>`count(*) filter (where ${type} = 'SETTLE' and ${cost_micro_usd} is not null)::int`,
      unknown_count: sql<number>`count(*) filter (where ${type} = 'SETTLE' and ${cost_micro_usd} is null)::int`,
    })
    .from(ledgerEntries)
    .leftJoin(upstreamJobs, eq(upstreamJobs.generation_id, generation_id))
    .where(
      and(
        seqRangeCondition(organization_id, range),
        inArray(type, ['RELEASE', 'SETTLE', 'REFUND']),
        ledgerFilterCondition(filter),
      ),
    );
  if (!row) return NO_COST_SUMS;
  const { cost, charged, ...counts } = row;
  const costMicro = cost === null ? null : BigInt(cost);
  const margin = plus(charged === null ? null : BigInt(charged), costMicro === null ? null : -costMicro);
  return { cost_micro_usd: costMicro, marginMicroUsd: margin, ...counts };
}
