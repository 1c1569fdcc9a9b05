import { formatUsd } from '#contract/money.ts';
import type { Price } from '#contract/pricing.ts';
import { isPricedByMinimum, PER_UNIT_LABELS } from '#web/forms/price-lines.ts';
import { formatMoney } from '#web/ui/money.tsx';

/** "$0.0575 per second" and "at least $0.345"; "Free" and nothing; nothing at all while the price is not known. */
export function formatUnitPrice(row: Price | undefined): { price: string; least: string | null } {
  if (!row) return { price: '', least: null };
  const { unit, unit_price_micro_usd, minimum_micro_usd, multipliers } = row;
  const money = (micro_usd: bigint) => formatMoney(formatUsd(micro_usd));
  if (unit_price_micro_usd === 0n && minimum_micro_usd === 0n) return { price: 'Free', least: null };
  const varies = multipliers ? ', varies' : '';
  const has_minimum = minimum_micro_usd > unit_price_micro_usd;
  if (has_minimum && isPricedByMinimum(row))
    return { price: `${money(minimum_micro_usd)} ${PER_UNIT_LABELS[unit]}`, least: null };
  return {
    price: `${money(unit_price_micro_usd)} ${PER_UNIT_LABELS[unit]}${varies}`,
    least: has_minimum ? `at least ${money(minimum_micro_usd)}` : null,
  };
}
