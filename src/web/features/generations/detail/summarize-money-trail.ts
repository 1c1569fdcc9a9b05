import type { LedgerType } from '#contract/ledger.ts';
import { formatUsd, parseUsd } from '#contract/money.ts';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { formatMoney } from '#web/ui/money.tsx';

/** Where the money of a generation went, step by step. */
export interface MoneyTrailSummary {
  steps: { id: string; label: string; amount_usd: string; created_at: string; note: string | null }[];
  /** Charges minus refunds. */
  paid_micro_usd: bigint;
  /** A sentence: what was estimated against what was paid, and why they differ. */
  reason: string;
}

const STEP_LABELS = {
  TOP_UP: 'Topped up',
  ADMIN_CREDIT: 'Credited',
  RESERVE: 'Estimated and reserved',
  RELEASE: 'Released',
  SETTLE: 'Charged',
  REFUND: 'Refunded',
  ADJUSTMENT: 'Corrected',
} satisfies Record<LedgerType, string>;

/** Why nothing was charged. */
const UNCHARGED_REASONS = {
  queued: 'It waits for its turn; nothing is charged yet.',
  running: 'It is being made; nothing is charged yet.',
  manual_review: 'A person has to decide on it; nothing is charged until then.',
  canceled: 'It was stopped, so the whole reservation came back.',
  failed: 'It could not be made, so the whole reservation came back.',
  succeeded: 'Nothing was charged for it.',
} satisfies Record<Generation['status'], string>;

const sumEntriesOfType = (entries: readonly LedgerEntry[], type: LedgerType) =>
  entries.filter((entry) => entry.type === type).reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n);

function costExplanation({ status }: Generation, reserved: bigint, charged: bigint, refunded: bigint): string {
  if (refunded >= charged && charged > 0n) return 'The whole charge was refunded.';
  const back = refunded > 0n ? ` ${formatMoney(formatUsd(refunded))} of it was refunded.` : '';
  if (charged === 0n) return UNCHARGED_REASONS[status];
  if (charged === reserved) return `The charge is what was estimated.${back}`;
  const difference = formatMoney(formatUsd(reserved > charged ? reserved - charged : charged - reserved));
  return charged < reserved
    ? `${difference} less than estimated: the most it could cost was reserved, and what was used is charged.${back}`
    : `${difference} more than was reserved.${back}`;
}

/** @param entries of the generation, oldest first */
export function summarizeMoneyTrail(generation: Generation, entries: readonly LedgerEntry[]): MoneyTrailSummary {
  const reserved = -sumEntriesOfType(entries, 'RESERVE');
  const charged = -sumEntriesOfType(entries, 'SETTLE');
  const refunded = sumEntriesOfType(entries, 'REFUND');
  return {
    steps: entries.map(({ id, type, amount_usd, created_at, description }) => ({
      id,
      label: STEP_LABELS[type],
      amount_usd,
      created_at,
      note: type === 'REFUND' || type === 'ADJUSTMENT' ? description : null,
    })),
    paid_micro_usd: charged - refunded,
    reason: costExplanation(generation, reserved, charged, refunded),
  };
}
