import type { LedgerType } from '#contract/money/ledger.ts';
import { formatMoney, parseUsd } from '#contract/money/money.ts';
import type { LedgerEntry } from '#contract/resources/ledger.ts';
import type { Generation } from '#contract/resources/generation.ts';

interface MoneyTrailSummary {
  steps: { id: string; label: string; amount_usd: string; created_at: string; note: string | null }[];
  /** Charges minus refunds. */
  paidMicroUsd: bigint;
  /** Compares the estimate with the net cost and explains the difference. */
  reason: string;
}

const STEP_LABELS = {
  TOP_UP: 'Topped up',
  ADMIN_CREDIT: 'Credit added',
  RESERVE: 'Estimated and reserved',
  RELEASE: 'Released',
  SETTLE: 'Charged',
  REFUND: 'Refunded',
  ADJUSTMENT: 'Adjusted',
} satisfies Record<LedgerType, string>;

const UNCHARGED_REASONS = {
  queued: 'In the queue. Nothing is charged yet.',
  running: 'Still running. Nothing is charged yet.',
  manual_review: 'Needs review. Nothing is charged until then.',
  canceled: 'Canceled, so the full reservation was released.',
  failed: 'Failed, so the full reservation was released.',
  succeeded: 'Nothing was charged.',
} satisfies Record<Generation['status'], string>;

const sumEntriesOfType = (entries: readonly LedgerEntry[], type: LedgerType) =>
  entries.filter((entry) => entry.type === type).reduce((sum, { amount_usd }) => sum + parseUsd(amount_usd), 0n);

function costExplanation({ status }: Generation, reserved: bigint, charged: bigint, refunded: bigint): string {
  if (refunded >= charged && charged > 0n) return 'The full charge was refunded.';
  const refundNote = refunded > 0n ? ` ${formatMoney(refunded)} was refunded.` : '';
  if (charged === 0n) return UNCHARGED_REASONS[status];
  if (charged === reserved) return `Charged as estimated.${refundNote}`;
  const difference = formatMoney(reserved > charged ? reserved - charged : charged - reserved);
  return charged < reserved
    ? `${difference} below the estimate: the maximum was reserved, and only actual usage was charged.${refundNote}`
    : `${difference} above the reservation.${refundNote}`;
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
    paidMicroUsd: charged - refunded,
    reason: costExplanation(generation, reserved, charged, refunded),
  };
}
