import type { LedgerType } from '#contract/ledger.ts';

export type SumsByType = Map<LedgerType, { amount_micro_usd: bigint; count: number }>;

/** Types without any entry left are removed. */
export function addToSums(
  sums: SumsByType,
  type: Parameters<SumsByType['get']>[0],
  amount: bigint,
  count: number,
): void {
  const sum = sums.get(type) ?? { amount_micro_usd: 0n, count: 0 };
  const added = { amount_micro_usd: sum.amount_micro_usd + amount, count: sum.count + count };
  if (added.count === 0) sums.delete(type);
  else sums.set(type, added);
}
