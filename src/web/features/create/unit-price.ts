import { formatMoney } from '#contract/money.ts';
import type { Price } from '#contract/pricing.ts';
import { isPricedByMinimum, PER_UNIT_LABELS } from '#web/forms/price-lines.ts';

/** "$0.0575 per second" with minimum "at least $0.345"; "Free"; empty while the price is unknown. */
export function formatUnitPrice(price: Price | undefined): { price: string; minimum: string | null } {
  if (!price) return { price: '', minimum: null };
  const { unit, unit_price_micro_usd, minimum_micro_usd, multipliers } = price;
  const money = (microUsd: bigint) => formatMoney(microUsd);
  if (unit_price_micro_usd === 0n && minimum_micro_usd === 0n) return { price: 'Free', minimum: null };
  const varies = multipliers ? ', varies' : '';
  const hasMinimum = minimum_micro_usd > unit_price_micro_usd;
  if (hasMinimum && isPricedByMinimum(price))
    return { price: `${money(minimum_micro_usd)} ${PER_UNIT_LABELS[unit]}`, minimum: null };
  return {
    price: `${money(unit_price_micro_usd)} ${PER_UNIT_LABELS[unit]}${varies}`,
    minimum: hasMinimum ? `at least ${money(minimum_micro_usd)}` : null,
  };
}
