import type { AddedPrice } from './price-schema.ts';

/** The price here of what a provider sells at a price, rounded up to whole micro-dollars. */
export function withMarkup(price: AddedPrice, percent: number): AddedPrice {
  const raise = (microUsd: number): number => Math.ceil((microUsd * (100 + percent)) / 100);
  return {
    ...price,
    unit_price_micro_usd: raise(price.unit_price_micro_usd),
    minimum_micro_usd: raise(price.minimum_micro_usd),
    cap_micro_usd: price.cap_micro_usd === null ? null : raise(price.cap_micro_usd),
  };
}
