import { sql } from 'drizzle-orm';
import { formatUsd, NANO_PER_MICRO, parseUsd } from '#contract/money/money.ts';
import type { Statement } from '#contract/resources/audit.ts';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import type { Db } from '#server/platform/db/db.ts';
import { readRows } from '#server/platform/db/rows/list-tables.ts';
import { type ReportScope, sumAll } from './report.ts';

export interface CostSums {
  /** null: of nothing a cost is known, like the margin. */
  costMicroUsd: bigint | null;
  marginMicroUsd: bigint | null;
  /** Part of the cost: what settling bills of providers has added. */
  correctedMicroUsd: bigint;
  /** Booked outside of orders, in neither cost nor margin. */
  outsideMicroUsd: bigint;
  /** Charges with a known cost, and all others. */
  knownCount: number;
  unknownCount: number;
}

export const NO_COST_SUMS: CostSums = {
  costMicroUsd: null,
  marginMicroUsd: null,
  correctedMicroUsd: 0n,
  outsideMicroUsd: 0n,
  knownCount: 0,
  unknownCount: 0,
};

const plus = (a: bigint | null, b: bigint | null): bigint | null =>
  a === null && b === null ? null : (a ?? 0n) + (b ?? 0n);

const parseKnown = (amount: string | null | undefined): bigint | null => (amount == null ? null : parseUsd(amount));

/** Adds an entry as it is presented to a caller with `costs.read`. */
export function addEntryCost(sums: CostSums, { type, cost_usd, margin_usd }: LedgerEntry): void {
  sums.costMicroUsd = plus(sums.costMicroUsd, parseKnown(cost_usd));
  sums.marginMicroUsd = plus(sums.marginMicroUsd, parseKnown(margin_usd));
  if (type === 'SETTLE') sums[cost_usd == null ? 'unknownCount' : 'knownCount'] += 1;
}

/** Adds a correction of a cost. @param generationId null: outside of orders */
export function addCorrection(sums: CostSums, generationId: string | null, amountNano: bigint): void {
  const amount = roundToMicro(amountNano);
  if (generationId === null) sums.outsideMicroUsd += amount;
  else {
    sums.correctedMicroUsd += amount;
    sums.costMicroUsd = plus(sums.costMicroUsd, amount);
    sums.marginMicroUsd = plus(sums.marginMicroUsd, -amount);
  }
}

/** Half away from zero, as the database does. */
function roundToMicro(nano: bigint): bigint {
  const size = ((nano < 0n ? -nano : nano) + NANO_PER_MICRO / 2n) / NANO_PER_MICRO;
  return nano < 0n ? -size : size;
}

/** What was booked outside of orders in a period. */
export async function readOutsideOrders(
  db: Pick<Db, 'execute'>,
  { organization_id, key_ids = null, tags }: ReportScope,
  { from, to }: { from: Date; to: Date },
): Promise<bigint> {
  if (key_ids !== null || (tags?.size ?? 0) > 0) return 0n;
  const [row] = await readRows<{ sum: string }>(
    db,
    sql`select coalesce(sum(round(amount_nano / 1000.0)), 0)::bigint::text as sum from closing_corrections
      where organization_id = ${organization_id} and generation_id is null
        and booked_at >= ${from.toISOString()}::timestamptz and booked_at < ${to.toISOString()}::timestamptz`,
  );
  return BigInt(row?.sum ?? 0);
}

export async function readCostSums(
  db: Pick<Db, 'execute' | 'select'>,
  scope: ReportScope,
  period: { from: Date; to: Date },
): Promise<CostSums> {
  const { cost, margin, corrected, knownCosts, knownMargins, knownCharges, unknownCharges } = await sumAll(
    db,
    scope,
    period,
    ['cost', 'margin', 'corrected', 'knownCosts', 'knownMargins', 'knownCharges', 'unknownCharges'],
  );
  return {
    costMicroUsd: knownCosts > 0n || corrected !== 0n ? cost : null,
    marginMicroUsd: knownMargins > 0n || corrected !== 0n ? margin : null,
    correctedMicroUsd: corrected,
    outsideMicroUsd: await readOutsideOrders(db, scope, period),
    knownCount: Number(knownCharges),
    unknownCount: Number(unknownCharges),
  };
}

const formatKnown = (amount: bigint | null): string | null => (amount === null ? null : formatUsd(amount));

export const presentCostSums = (sums: CostSums): NonNullable<Statement['costs']> => ({
  cost_usd: formatKnown(sums.costMicroUsd),
  margin_usd: formatKnown(sums.marginMicroUsd),
  corrected_usd: formatUsd(sums.correctedMicroUsd),
  outside_orders_usd: formatUsd(sums.outsideMicroUsd),
  known_count: sums.knownCount,
  unknown_count: sums.unknownCount,
});
