import type { AddedPrice, AddedPriceUnit } from '#contract/added-models/prices/price-schema.ts';
import { formatMoney } from '#contract/money/money.ts';

/** One of a unit, and several. */
export const ADDED_UNITS = {
  image: ['image', 'images'],
  second: ['second', 'seconds'],
  megapixel: ['megapixel', 'megapixels'],
  '1000_characters': ['1,000 characters', '× 1,000 characters'],
  token: ['token', 'tokens'],
  run: ['run', 'runs'],
} satisfies Record<AddedPriceUnit, readonly [one: string, many: string]>;

export interface UnitPrice {
  /** "$0.02 per second". */
  price: string;
  /** What else bounds it: "at least $0.01". */
  minimum: string | null;
}

/** "$0.02 per 1,000 characters" with minimum "at least $0.01, at most $1.00". */
export function formatAddedPrice({
  unit,
  unit_price_micro_usd,
  per,
  minimum_micro_usd,
  cap_micro_usd,
  tiers,
}: AddedPrice): UnitPrice {
  const [one, many] = ADDED_UNITS[unit];
  const quantity = per === 1 ? one : `${per.toLocaleString('en-US')} ${many}`;
  if (unit_price_micro_usd === 0 && minimum_micro_usd === 0) return { price: 'Free', minimum: null };
  const hasMinimum = minimum_micro_usd > unit_price_micro_usd;
  const bounds = [
    ...(hasMinimum ? [`at least ${formatMoney(BigInt(minimum_micro_usd))}`] : []),
    ...(cap_micro_usd === null ? [] : [`at most ${formatMoney(BigInt(cap_micro_usd))}`]),
  ];
  return {
    price: `${formatMoney(BigInt(unit_price_micro_usd))} per ${quantity}${tiers.length > 0 ? ', varies' : ''}`,
    minimum: bounds.join(', ') || null,
  };
}
