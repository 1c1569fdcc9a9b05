import { type MediaLengths, estimate } from '#contract/estimate.ts';
import type { PriceBook } from '#contract/pricing.ts';
import type { EngineResult } from '#server/models/engine/engine.ts';
import type { GenerationRow } from './present-generation.ts';

type Charge = Pick<GenerationRow, 'amount_micro_usd' | 'line_items'>;

export interface ChargeBasis {
  lengths: MediaLengths;
  used?: EngineResult['used'];
}

/** The price by actual media lengths and the options that the model chose, at most the reserved amount. Decision: Prices */
export function computeCharge(prices: PriceBook, row: GenerationRow, { lengths, used }: ChargeBasis): Charge {
  const { amount_micro_usd, line_items } = estimate(prices, row.task, row.model, row.input, {
    ...lengths,
    ...(used ? { used } : {}),
  });
  return amount_micro_usd < row.amount_micro_usd
    ? { amount_micro_usd, line_items }
    : { amount_micro_usd: row.amount_micro_usd, line_items: row.line_items };
}
