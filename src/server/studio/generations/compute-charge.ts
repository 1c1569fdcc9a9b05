import type { MediaLengths } from '#contract/money/estimate.ts';
import { type ModelCatalog } from '#contract/model-catalog.ts';
import { type OrderFacts, priceOrder } from '#contract/money/price-order.ts';
import type { EngineResult } from '#server/models/engine/engine.ts';
import type { GenerationRow } from './read/generation-row.ts';

type Charge = Pick<GenerationRow, 'amount_micro_usd' | 'line_items'>;

export interface ChargeBasis {
  lengths: MediaLengths;
  used?: EngineResult['used'];
  units?: EngineResult['units'];
}

/** The price by actual media and the options that the model chose, at most the reserved amount. Decision: Prices */
export function computeCharge(
  catalog: ModelCatalog,
  row: GenerationRow,
  { lengths, used, units }: ChargeBasis,
  outputs: NonNullable<OrderFacts['outputs']>,
): Charge {
  const facts = { ...lengths, ...(used ? { used } : {}), units, outputs };
  const { amount_micro_usd, line_items } = priceOrder(catalog, row, row.input, facts);
  return amount_micro_usd < row.amount_micro_usd
    ? { amount_micro_usd, line_items }
    : { amount_micro_usd: row.amount_micro_usd, line_items: row.line_items };
}
