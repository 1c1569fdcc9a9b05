import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { formatMoney } from '#contract/money/money.ts';
import { findPrice, type Price, type PriceBook } from '#contract/money/pricing.ts';
import type { UnitPrice } from '#web/api/added-pricing.ts';
import { addedUnitPrice } from '#web/api/known-models.ts';
import { isPricedByMinimum, PER_UNIT_LABELS } from '#web/forms/money/price-lines.ts';

/** Whether an order of a model can be priced. */
export const hasPrice = (prices: PriceBook, task: TaskId, model: AnyModelId | null): boolean =>
  findPrice(prices, task, model) !== undefined || addedUnitPrice(model) !== null;

/** What a model costs per unit; empty while the prices are unknown. */
export function modelUnitPrice(prices: PriceBook | null, task: TaskId, model: AnyModelId | null): UnitPrice {
  return addedUnitPrice(model) ?? formatUnitPrice(prices ? findPrice(prices, task, model) : undefined);
}

/** "$0.0575 per second" with minimum "at least $0.345"; "Free"; empty while the price is unknown. */
export function formatUnitPrice(price: Price | undefined): UnitPrice {
  if (!price) return { price: '', minimum: null };
  const { unit, unit_price_micro_usd, minimum_micro_usd, multipliers } = price;
  if (unit_price_micro_usd === 0n && minimum_micro_usd === 0n) return { price: 'Free', minimum: null };
  const varies = multipliers ? ', varies' : '';
  const hasMinimum = minimum_micro_usd > unit_price_micro_usd;
  if (hasMinimum && isPricedByMinimum(price))
    return { price: `${formatMoney(minimum_micro_usd)} ${PER_UNIT_LABELS[unit]}`, minimum: null };
  return {
    price: `${formatMoney(unit_price_micro_usd)} ${PER_UNIT_LABELS[unit]}${varies}`,
    minimum: hasMinimum ? `at least ${formatMoney(minimum_micro_usd)}` : null,
  };
}
