import { largestQuantity } from '#contract/added-models/price-quantity.ts';
import { priceProblems } from '#contract/added-models/price.ts';
import type { AddedPrice, AddedPriceUnit, PriceCondition, PriceQuantity } from '#contract/added-models/price-schema.ts';
import { formatDecimal, formatUsd, parseUsd } from '#contract/money.ts';
import type { InputContract, Scalar } from '#contract/task.ts';
import { parseAmount } from '#web/ui/parse-amount.ts';

/** What counts, without the most of it. */
export type CountedQuantity = PriceQuantity extends infer Q ? (Q extends unknown ? Omit<Q, 'largest'> : never) : never;

export type ConditionValues =
  | { field: string; is: 'one_of'; values: readonly Scalar[] }
  | { field: string; is: 'set' | 'unset' }
  | { field: string; is: 'at_least'; least: string };

export interface TierValues {
  /** For React. */
  key: string;
  when: readonly ConditionValues[];
  multiplier: string;
}

/** A price as its form holds it: amounts in dollars, as typed. */
export interface PriceValues {
  unit: AddedPriceUnit;
  unitPrice: string;
  per: AddedPrice['per'];
  quantity: CountedQuantity;
  largest: string;
  outputs: AddedPrice['outputs'];
  rounding: AddedPrice['rounding'];
  minimum: string;
  cap: string;
  tiers: readonly TierValues[];
}

/** Messages by field, of tiers as `tiers.0`. */
export type PriceErrors = Readonly<Record<string, string>>;

export const BLANK_PRICE: PriceValues = {
  unit: 'run',
  unitPrice: '',
  per: 1,
  quantity: { from: 'one' },
  largest: '',
  outputs: { count: 1 },
  rounding: 'exact',
  minimum: '',
  cap: '',
  tiers: [],
};

const toDollars = (microUsd: number): string => formatUsd(BigInt(microUsd));

export function toPriceValues(price: AddedPrice): PriceValues {
  const { unit, unit_price_micro_usd, per, outputs, rounding, minimum_micro_usd, cap_micro_usd } = price;
  const { largest, ...quantity } = { largest: null, ...price.quantity };
  return {
    unit,
    unitPrice: toDollars(unit_price_micro_usd),
    per,
    quantity: quantity as CountedQuantity,
    largest: largest === null ? '' : String(largest),
    outputs,
    rounding,
    minimum: minimum_micro_usd === 0 ? '' : toDollars(minimum_micro_usd),
    cap: cap_micro_usd === null ? '' : toDollars(cap_micro_usd),
    tiers: price.tiers.map(({ when, multiplier }, index) => ({
      key: `tier-${index}`,
      when: when.map(toConditionValues),
      multiplier: formatDecimal(BigInt(multiplier)),
    })),
  };
}

function toConditionValues(condition: PriceCondition): ConditionValues {
  const { field } = condition;
  if ('present' in condition) return { field, is: condition.present ? 'set' : 'unset' };
  if ('at_least' in condition) return { field, is: 'at_least', least: String(condition.at_least) };
  return { field, is: 'one_of', values: condition.in };
}

export const parseNumber = (text: string): number | null =>
  /^\d*\.?\d+$|^\d+\.$/.test(text.trim()) ? Number(text) : null;

export type ParsedPrice = { price: AddedPrice; errors: null } | { price: null; errors: PriceErrors };

/** Reads the form of a price. Whether it fits a model says `findPriceErrors`. */
export function parsePrice(values: PriceValues): ParsedPrice {
  const errors: Record<string, string> = {};
  const amount = (name: 'unitPrice' | 'minimum' | 'cap', optional: boolean): number | null => {
    if (optional && values[name].trim() === '') return null;
    const { amount: usd, problem } = parseAmount(values[name], { zero: true });
    if (usd === null) errors[name] = values[name].trim() === '' ? 'Enter the price.' : (problem ?? '');
    return usd === null ? null : Number(parseUsd(usd));
  };
  const above = (text: string, name: string): number | null => {
    const number = text.trim() === '' ? null : parseNumber(text);
    if (text.trim() !== '' && !(number !== null && number > 0)) errors[name] = 'Enter a number above zero.';
    return number;
  };
  const unit_price_micro_usd = amount('unitPrice', false) ?? 0;
  const minimum_micro_usd = amount('minimum', true) ?? 0;
  const cap_micro_usd = amount('cap', true);
  const largest = above(values.largest, 'largest');
  const { unit, per, outputs, rounding } = values;
  if ('count' in outputs && !(outputs.count > 0)) errors['outputs'] = 'Enter a number above zero.';
  const { quantity } = values;
  if (quantity.from === 'frames' && 'count' in quantity.fps && !(quantity.fps.count > 0))
    errors['quantity'] = 'Enter the frames of a second.';
  const tiers = values.tiers.map(({ when, multiplier }, index) => {
    const factor = parseNumber(multiplier);
    if (factor === null) errors[`tiers.${index}`] = 'Enter the factor, such as 2 or 0.5.';
    return {
      when: when.map((condition) => {
        const { problem, ...parsed } = parseCondition(condition);
        if (problem) errors[`tiers.${index}`] ??= problem;
        return parsed.condition;
      }),
      multiplier: Math.round((factor ?? 1) * 1_000_000),
    };
  });
  if (Object.keys(errors).length > 0) return { price: null, errors };
  const price = {
    unit,
    unit_price_micro_usd,
    per,
    quantity: (quantity.from === 'one' ? quantity : { ...quantity, largest }) as PriceQuantity,
    outputs,
    rounding,
    minimum_micro_usd,
    cap_micro_usd,
    tiers,
  };
  return { price, errors: null };
}

function parseCondition(values: ConditionValues): { condition: PriceCondition; problem?: string } {
  const { field } = values;
  if (values.is === 'one_of') {
    const condition = { field, in: [...values.values] };
    return values.values.length > 0 ? { condition } : { condition, problem: 'Choose at least one value.' };
  }
  if (values.is === 'at_least') {
    const number = parseNumber(values.least);
    const condition = { field, at_least: number ?? 0 };
    return number === null ? { condition, problem: 'Enter the number from which it applies.' } : { condition };
  }
  return { condition: { field, present: values.is === 'set' } };
}

/** Where a price does not fit the form of a model. */
export function findPriceErrors(price: AddedPrice, name: string, contract: InputContract): PriceErrors {
  const errors: Record<string, string> = {};
  for (const problem of priceProblems({ name, contract, price })) {
    const field = /“(.+)”/.exec(problem)?.[1];
    const tier = price.tiers.findIndex(({ when }) => when.some((condition) => condition.field === field));
    if (field === undefined) errors['cap'] ??= problem;
    else if (tier >= 0) errors[`tiers.${tier}`] ??= problem;
    else if ('field' in price.outputs && price.outputs.field === field) errors['outputs'] ??= problem;
    else errors['quantity'] ??= problem;
  }
  return errors;
}

/** The most that the form allows; null if the price has to say it. */
export const boundByForm = (quantity: CountedQuantity, contract: InputContract): number | null =>
  quantity.from === 'one'
    ? 1
    : largestQuantity({ quantity: { ...quantity, largest: null } as PriceQuantity } as AddedPrice, contract);

const ERROR_FIELDS: Readonly<Record<string, string>> = {
  unit_price_micro_usd: 'unitPrice',
  minimum_micro_usd: 'minimum',
  cap_micro_usd: 'cap',
};

/** `price.tiers.0.when` → `tiers.0`, `price.cap_micro_usd` → `cap`, `price` → `cap`: what bounds a price. */
export function priceErrorField(path: string): string | null {
  const [first, second = '', third = ''] = path.split('.');
  if (first !== 'price') return null;
  if (second === '') return 'cap';
  return second === 'tiers' ? `tiers.${third}` : (ERROR_FIELDS[second] ?? second);
}
