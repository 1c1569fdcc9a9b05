import { largestQuantity } from '#contract/added-models/prices/price-quantity.ts';
import { priceProblems } from '#contract/added-models/prices/price.ts';
import type { AddedPrice, PriceQuantity } from '#contract/added-models/prices/price-schema.ts';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { InputContract } from '#contract/task.ts';
import { parseAmount } from '#web/ui/controls/parse-amount.ts';

const AMOUNTS = { unitPrice: 'unit_price_micro_usd', minimum: 'minimum_micro_usd', cap: 'cap_micro_usd' } as const;
type AmountName = keyof typeof AMOUNTS;

/** A price as its form holds it: amounts in dollars, as typed. */
export interface PriceValues
  extends Omit<AddedPrice, (typeof AMOUNTS)[AmountName]>, Readonly<Record<AmountName, string>> {}

/** Messages by field, of tiers as `tiers.0`. */
export type PriceErrors = Readonly<Record<string, string>>;

export const BLANK_PRICE: PriceValues = {
  unit: 'run',
  unitPrice: '',
  per: 1,
  quantity: { from: 'one' },
  outputs: { count: 1 },
  rounding: 'exact',
  minimum: '',
  cap: '',
  tiers: [],
};

const toDollars = (microUsd: number): string => formatUsd(BigInt(microUsd));

export function toPriceValues(price: AddedPrice): PriceValues {
  const { unit_price_micro_usd, minimum_micro_usd, cap_micro_usd, ...others } = price;
  return {
    ...others,
    unitPrice: toDollars(unit_price_micro_usd),
    minimum: minimum_micro_usd === 0 ? '' : toDollars(minimum_micro_usd),
    cap: cap_micro_usd === null ? '' : toDollars(cap_micro_usd),
  };
}

export type ParsedPrice = { price: AddedPrice; errors: null } | { price: null; errors: PriceErrors };

const isAbove = (number: number | null): boolean => number !== null && number > 0;

/** Reads the form of a price. Whether it fits a model says `findPriceErrors`. */
export function parsePrice({ unitPrice, minimum, cap, ...others }: PriceValues): ParsedPrice {
  const errors: Record<string, string> = {};
  const parse = (name: AmountName, text: string): number | null => {
    const isBlank = text.trim() === '';
    if (isBlank && name !== 'unitPrice') return null;
    const { amount, problem } = parseAmount(text, { zero: true });
    if (amount === null) errors[name] = isBlank ? 'Enter the price.' : (problem ?? '');
    return amount === null ? null : Number(parseUsd(amount));
  };
  const unitPriceMicroUsd = parse('unitPrice', unitPrice) ?? 0;
  const minimumMicroUsd = parse('minimum', minimum) ?? 0;
  const capMicroUsd = parse('cap', cap);
  const { quantity, outputs, tiers } = others;
  if ('largest' in quantity && quantity.largest !== null && !isAbove(quantity.largest))
    errors['largest'] = 'Enter a number above zero.';
  if ('count' in outputs && !isAbove(outputs.count)) errors['outputs'] = 'Enter a number above zero.';
  for (const [index, { when, multiplier }] of tiers.entries()) {
    // A draft stores a number that is not there as null.
    if (!Number.isFinite(multiplier)) errors[`tiers.${index}`] = 'Enter the factor, such as 2 or 0.5.';
    else if (when.some((condition) => 'in' in condition && condition.in.length === 0))
      errors[`tiers.${index}`] = 'Choose at least one value.';
    else if (when.some((condition) => 'at_least' in condition && !Number.isFinite(condition.at_least)))
      errors[`tiers.${index}`] = 'Enter the number from which it applies.';
  }
  if (Object.keys(errors).length > 0) return { price: null, errors };
  return {
    price: {
      ...others,
      unit_price_micro_usd: unitPriceMicroUsd,
      minimum_micro_usd: minimumMicroUsd,
      cap_micro_usd: capMicroUsd,
    },
    errors: null,
  };
}

/** Where a price does not fit the form of a model. */
export function findPriceErrors(price: AddedPrice, name: string, contract: InputContract): PriceErrors {
  const errors: Record<string, string> = {};
  for (const problem of priceProblems({ name, contract, price })) {
    const field = /“([^“”]+)”/.exec(problem)?.[1];
    const tier = price.tiers.findIndex(({ when }) => when.some((condition) => condition.field === field));
    if (field === undefined) errors['cap'] ??= problem;
    else if (tier >= 0) errors[`tiers.${tier}`] ??= problem;
    else if ('field' in price.outputs && price.outputs.field === field) errors['outputs'] ??= problem;
    else errors['quantity'] ??= problem;
  }
  return errors;
}

/** The most that the form allows; null if the price has to say it. */
export const boundByForm = (quantity: PriceQuantity, contract: InputContract): number | null =>
  largestQuantity({ quantity: quantity.from === 'one' ? quantity : { ...quantity, largest: null } }, contract);

/** `price.tiers.0.when` → `tiers.0`, `price.cap_micro_usd` → `cap`, `price` → `cap`: what bounds a price. */
export function priceErrorField(path: string): string | null {
  const [first, second = '', third = ''] = path.split('.');
  if (first !== 'price') return null;
  const [amount] = Object.entries(AMOUNTS).find(([, name]) => name === second) ?? [];
  if (second === '') return 'cap';
  return amount ?? (second === 'tiers' ? `tiers.${third}` : second);
}
