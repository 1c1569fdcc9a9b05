import { sql } from 'drizzle-orm';
import type { LedgerType } from '#contract/money/ledger.ts';
import { formatUsd } from '#contract/money/money.ts';
import type { JobCostBasis } from '#contract/providers.ts';
import { ledgerEntries } from '#server/platform/db/schema/billing-schema.ts';
import { generations, upstreamJobs } from '#server/platform/db/schema/schema.ts';

/** What a provider charged for a generation. `cost_micro_usd` null: unknown, or no provider ran it. */
export interface WorkCost {
  cost_micro_usd: bigint | null;
  cost_basis: JobCostBasis | null;
  /** The generation has a SETTLE entry. */
  isCharged: boolean | null;
}

/** Of the job, before corrections: an unknown cost that was corrected by the month of the entry counts from 0. */
export const knownCost = sql<bigint | null>`case when ${upstreamJobs.cost_micro_usd} is null and exists (
    select from closing_corrections as correction where correction.generation_id = ${upstreamJobs.generation_id}
    and correction.month <= to_char(${ledgerEntries.created_at} at time zone 'UTC', 'YYYY-MM'))
  then 0 else ${upstreamJobs.cost_micro_usd} end`.mapWith(upstreamJobs.cost_micro_usd);

export const workCostColumns = {
  cost_micro_usd: knownCost,
  cost_basis: upstreamJobs.cost_basis,
  isCharged: sql<
    boolean | null
  >`${generations.billing_status} in ('settled', 'refunded') and ${generations.amount_micro_usd} > 0`,
};

const NO_COST = { cost_usd: null, cost_basis: null, margin_usd: null };

/**
 * The cost stands at one entry of a generation, its SETTLE, or the RELEASE of work without a charge, so that the entries
 * add up. The margin is a charge or refund less the cost; unknown where the cost is. Decision: Margin
 */
export function presentEntryCost(
  { type, amount_micro_usd }: { type: LedgerType; amount_micro_usd: bigint },
  work: WorkCost,
): { cost_usd: string | null; cost_basis: JobCostBasis | null; margin_usd: string | null } {
  const { cost_micro_usd, cost_basis, isCharged } = work;
  if (cost_micro_usd === null) return NO_COST;
  if (type === 'REFUND') return { ...NO_COST, margin_usd: formatUsd(-amount_micro_usd) };
  if (type !== 'SETTLE' && (type !== 'RELEASE' || isCharged)) return NO_COST;
  const charged = type === 'SETTLE' ? -amount_micro_usd : 0n;
  return {
    cost_usd: formatUsd(cost_micro_usd),
    cost_basis,
    margin_usd: formatUsd(charged - cost_micro_usd),
  };
}

/** Of a line with all entries of a generation, which together changed the available funds by `amount`. */
export function presentLineCost(amount: bigint, isFinished: boolean, work: WorkCost) {
  const { cost_micro_usd, cost_basis } = work;
  if (cost_micro_usd === null || !isFinished) return NO_COST;
  return {
    cost_usd: formatUsd(cost_micro_usd),
    cost_basis,
    margin_usd: formatUsd(-amount - cost_micro_usd),
  };
}
