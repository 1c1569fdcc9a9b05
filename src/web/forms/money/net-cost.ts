import { parseUsd } from '#contract/money/money.ts';
import type { Generation } from '#contract/resources/generation.ts';

/** Charges minus refunds in micro-dollars; reservations do not count. */
export function netCost({
  amount_usd,
  billing_status,
  refunded_usd = '0.00',
}: Omit<Generation['usage'], 'line_items'>): bigint {
  return billing_status === 'settled' ? parseUsd(amount_usd) - parseUsd(refunded_usd) : 0n;
}
