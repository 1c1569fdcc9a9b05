import type { Estimate, PricedLineItem, MediaLengths } from '#contract/money/estimate.ts';
import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { formatMoney, formatUsd, parseUsd } from '#contract/money/money.ts';
import type { PriceBook } from '#contract/money/pricing.ts';
import type { InputContract } from '#contract/task.ts';
import { priceInput } from '#web/api/known-models.ts';
import {
  describeEqualPrices,
  durationCandidates,
  type EqualPriceDurations,
  findDurationField,
} from '#web/forms/money/equal-price-durations.ts';
import { mergeMinimum, MINIMUM_CHARGE, priceFormula } from '#web/forms/money/price-lines.ts';

export interface Quote {
  amount_usd: string;
  minimum_usd: string;
  basis: Estimate['basis'];
  line_items: readonly PricedLineItem[];
}

/** The total of several results. */
export const scaleQuote = (quote: Quote, count: number): Quote => ({
  ...quote,
  amount_usd: formatUsd(parseUsd(quote.amount_usd) * BigInt(count)),
});

const isMinimumCharged = ({ line_items }: Pick<Quote, 'line_items'>) =>
  mergeMinimum(line_items).some(({ description }) => description === MINIMUM_CHARGE);

/** "8 seconds × $0.0575". */
export function formatPriceFormula(quote: Quote): string {
  if (Number(quote.amount_usd) === 0) return 'No charge';
  if (quote.basis === 'lower_bound') return `At least ${formatMoney(quote.minimum_usd)}`;
  const [line] = mergeMinimum(quote.line_items);
  const formula = line && priceFormula(line);
  const minimum = isMinimumCharged(quote) ? `, at least ${formatMoney(quote.minimum_usd)}` : '';
  return formula ? `${formula}${minimum}` : `At least ${formatMoney(quote.minimum_usd)}`;
}

export function priceBasisMessage({ basis, amount_usd, minimum_usd }: Quote): string | null {
  if (basis === 'upper_bound') return 'This much is reserved. You pay for what is used, which can only be less.';
  if (basis === 'lower_bound')
    return amount_usd === minimum_usd
      ? 'This is the minimum. The length of your files decides the rest.'
      : 'The length of your files decides the rest.';
  return null;
}

/** null if no other duration has the price of the selected one. */
export function findEqualPriceDurations(
  prices: PriceBook,
  task: TaskId,
  model: AnyModelId | null,
  contract: InputContract,
  input: Readonly<Record<string, unknown>>,
  lengths: MediaLengths = {},
): EqualPriceDurations | null {
  const field = findDurationField(contract);
  const duration = field && input[field.name];
  if (!field || typeof duration !== 'number') return null;
  const costs = (seconds: number) =>
    priceInput(prices, { task, model }, { ...input, [field.name]: seconds }, lengths).amount_micro_usd;
  const amount = costs(duration);
  const durations = durationCandidates(field).filter((seconds) => costs(seconds) === amount);
  return describeEqualPrices(
    field,
    duration,
    durations,
    isMinimumCharged(priceInput(prices, { task, model }, input, lengths)),
  );
}

/** Computes a price in the browser. @throws {RangeError} if the model does not support the task */
export function computeQuote(
  prices: PriceBook,
  task: TaskId,
  model: AnyModelId | null,
  input: Readonly<Record<string, unknown>>,
  lengths: MediaLengths,
): Quote {
  const priced = priceInput(prices, { task, model }, input, lengths);
  const { amount_micro_usd, minimum_micro_usd, basis, line_items } = priced;
  return { amount_usd: formatUsd(amount_micro_usd), minimum_usd: formatUsd(minimum_micro_usd), basis, line_items };
}
