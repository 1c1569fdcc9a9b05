import type { AddedPrice } from '#contract/added-models/prices/price-schema.ts';

/** A run costs a micro-dollar. */
export const RUN_PRICE: AddedPrice = {
  unit: 'run',
  unit_price_micro_usd: 1,
  per: 1,
  quantity: { from: 'one' },
  outputs: { count: 1 },
  rounding: 'exact',
  minimum_micro_usd: 0,
  cap_micro_usd: null,
  tiers: [],
};
