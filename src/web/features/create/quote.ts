import { type Estimate, estimate, type PricedLineItem, type MediaLengths } from '#contract/estimate.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { formatMoney, formatUsd, parseUsd } from '#contract/money.ts';
import type { PriceBook } from '#contract/pricing.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import { optionLabel } from '#web/forms/format-field-value.ts';
import { mergeMinimum, MINIMUM_CHARGE, priceFormula } from '#web/forms/price-lines.ts';
import { formatList } from '#web/ui/formats.ts';

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

export interface EqualPriceDurations {
  message: string;
  field: string;
  longest: number;
  longest_label: string;
}

function durationCandidates(field: FieldSpec): number[] {
  if (field.kind === 'choice') return field.options.filter((option) => typeof option === 'number');
  if (field.kind !== 'integer' || field.max === null || field.max - field.min > 120) return [];
  return Array.from({ length: field.max - field.min + 1 }, (_, at) => field.min + at);
}

const isDurationField = (field: FieldSpec) =>
  (field.kind === 'choice' || field.kind === 'integer') && field.unit === 's' && !('time_of' in field && field.time_of);

/** null if no other duration has the price of the selected one. */
export function findEqualPriceDurations(
  prices: PriceBook,
  task: TaskId,
  model: ModelId | null,
  contract: InputContract,
  input: Readonly<Record<string, unknown>>,
  lengths: MediaLengths = {},
): EqualPriceDurations | null {
  const field = contract.fields.find(isDurationField);
  const duration = field && input[field.name];
  if (!field || typeof duration !== 'number') return null;
  const costs = (seconds: number) =>
    estimate(prices, task, model, { ...input, [field.name]: seconds }, lengths).amount_micro_usd;
  const amount = costs(duration);
  const equalDurations = durationCandidates(field).filter((seconds) => costs(seconds) === amount);
  const longest = equalDurations.at(-1);
  if (equalDurations.length < 2 || longest === undefined || !equalDurations.includes(duration)) return null;
  const durations =
    equalDurations.length > 6 ? `${equalDurations[0]} to ${longest}` : formatList(equalDurations.map(String));
  const minimum = isMinimumCharged(estimate(prices, task, model, input, lengths)) ? 'Minimum charge: ' : '';
  return {
    message: `${minimum}${durations} s cost the same.`,
    field: field.name,
    longest,
    longest_label: field.kind === 'choice' ? optionLabel(field, longest) : `${longest} s`,
  };
}

/** Computes a price in the browser. @throws {RangeError} if the model does not support the task */
export function computeQuote(
  prices: PriceBook,
  task: TaskId,
  model: ModelId | null,
  input: Readonly<Record<string, unknown>>,
  lengths: MediaLengths,
): Quote {
  const { amount_micro_usd, minimum_micro_usd, basis, line_items } = estimate(prices, task, model, input, lengths);
  return { amount_usd: formatUsd(amount_micro_usd), minimum_usd: formatUsd(minimum_micro_usd), basis, line_items };
}
