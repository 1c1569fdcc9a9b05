import { estimate, type Estimate, type PriceFacts } from '#contract/money/estimate.ts';
import type { AnyModelId, ModelId, TaskId } from '#contract/ids.ts';
import { NANO_PER_USD, parseUsd } from '#contract/money/money.ts';
import { parseMultipliers, type Price, type PriceBook, PRICES } from '#contract/money/pricing.ts';
import type { CostRatio } from '#server/platform/db/schema/provider-schema.ts';
import type { PresetModel } from '#server/models/providers/preset.ts';

/** A provider's list price as a row of a price book. */
const toCostRow = ({ task, model, price }: PresetModel): Price => ({
  task,
  model,
  unit: price.unit,
  unit_price_micro_usd: parseUsd(price.unit_price_usd),
  minimum_micro_usd: parseUsd(price.minimum_usd ?? '0'),
  note: null,
  ...(price.multipliers ? { multipliers: parseMultipliers(price.multipliers) } : {}),
});

/** What a job costs at a provider's list price. */
export const estimateCost = (
  presetModel: PresetModel,
  input: Readonly<Record<string, unknown>>,
  facts: PriceFacts = {},
): Estimate => estimate([toCostRow(presetModel)], presetModel.task, presetModel.model, input, facts);

/** What a provider bills of a list price, by the last month that was settled with a new cost. Decision: Closing */
export function applyCostRatio(cost: bigint, model: AnyModelId, ratios: readonly CostRatio[]): bigint {
  const ratio = ratios.findLast((row) => row.model === model)?.ratio_nano;
  return ratio === undefined ? cost : (cost * BigInt(ratio) + NANO_PER_USD / 2n) / NANO_PER_USD;
}

/** The provider's list price plus a share, each amount rounded up to a micro-dollar. */
export function toPriceRow(presetModel: PresetModel, markupPercent: number): Price {
  const row = toCostRow(presetModel);
  const raise = (amount: bigint) => (amount * BigInt(100 + markupPercent) + 99n) / 100n;
  return {
    ...row,
    unit_price_micro_usd: raise(row.unit_price_micro_usd),
    minimum_micro_usd: raise(row.minimum_micro_usd),
  };
}

/**
 * The prices of the installation with those of connections. Prices of the operator's file stay.
 * @param base the published prices with those of the file
 */
export function applyPrices(base: PriceBook, changes: readonly Price[]): PriceBook {
  if (changes.length === 0) return base;
  const find = (task: TaskId, model: ModelId | null) => changes.find((row) => row.task === task && row.model === model);
  return base.map((row) => (PRICES.includes(row) ? (find(row.task, row.model) ?? row) : row));
}
