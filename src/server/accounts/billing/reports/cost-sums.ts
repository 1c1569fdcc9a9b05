import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { Statement } from '#contract/resources/audit.ts';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import type { Db } from '#server/platform/db/db.ts';
import { type OptionalPeriod, type ReportScope, sumAll } from './report.ts';

export interface CostSums {
  /** null: of nothing a cost is known, like the margin. */
  costMicroUsd: bigint | null;
  marginMicroUsd: bigint | null;
  /** Charges with a known cost, and all others. */
  knownCount: number;
  unknownCount: number;
}

export const NO_COST_SUMS: CostSums = { costMicroUsd: null, marginMicroUsd: null, knownCount: 0, unknownCount: 0 };

const plus = (a: bigint | null, b: bigint | null): bigint | null =>
  a === null && b === null ? null : (a ?? 0n) + (b ?? 0n);

const parseKnown = (amount: string | null | undefined): bigint | null => (amount == null ? null : parseUsd(amount));

/** Adds an entry as it is presented to a caller with `costs.read`. */
export function addEntryCost(sums: CostSums, { type, cost_usd, margin_usd }: LedgerEntry): void {
  sums.costMicroUsd = plus(sums.costMicroUsd, parseKnown(cost_usd));
  sums.marginMicroUsd = plus(sums.marginMicroUsd, parseKnown(margin_usd));
  if (type === 'SETTLE') sums[cost_usd == null ? 'unknownCount' : 'knownCount'] += 1;
}

export async function readCostSums(
  db: Pick<Db, 'execute' | 'select'>,
  scope: ReportScope,
  period: OptionalPeriod,
): Promise<CostSums> {
  const { cost, margin, knownCosts, knownMargins, knownCharges, unknownCharges } = await sumAll(db, scope, period, [
    'cost',
    'margin',
    'knownCosts',
    'knownMargins',
    'knownCharges',
    'unknownCharges',
  ]);
  return {
    costMicroUsd: knownCosts > 0n ? cost : null,
    marginMicroUsd: knownMargins > 0n ? margin : null,
    knownCount: Number(knownCharges),
    unknownCount: Number(unknownCharges),
  };
}

const formatKnown = (amount: bigint | null): string | null => (amount === null ? null : formatUsd(amount));

export const presentCostSums = (sums: CostSums): NonNullable<Statement['costs']> => ({
  cost_usd: formatKnown(sums.costMicroUsd),
  margin_usd: formatKnown(sums.marginMicroUsd),
  known_count: sums.knownCount,
  unknown_count: sums.unknownCount,
});
