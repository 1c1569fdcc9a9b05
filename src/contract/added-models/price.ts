import { isJson, type Json } from '../json-value.ts';
import { composeEstimate, type Estimate } from '../estimate.ts';
import { formatDecimal, formatUsd } from '../money.ts';
import type { FieldSpec, InputContract, Scalar } from '../task.ts';
import {
  knownCount,
  knownQuantity,
  largestCount,
  largestQuantity,
  leadingNumber,
  type Measured,
  resultQuantity,
} from './price-quantity.ts';
import type { AddedPrice, AddedPriceUnit, PriceCondition, PriceTier } from './price-schema.ts';

/** `exact`: the charge. `estimated`: an upper bound of it. `capped`: only the cap bounds it. */
type PriceCertainty = 'exact' | 'estimated' | 'capped';

export interface AddedQuote extends Estimate {
  certainty: PriceCertainty;
}

interface PricedModel {
  /** Of the line item. */
  name: string;
  contract: InputContract;
  price: AddedPrice;
}

interface Factor {
  multiplier_millionths: readonly bigint[];
  words: readonly string[];
  /** Whether the input leaves it to the model, so that the highest tier is assumed. */
  isOpen: boolean;
}

const ONE = 1_000_000n;

/** Options that leave the choice to the model. */
const isOpenValue = (value: unknown): boolean =>
  value === undefined || value === null || value === 'auto' || value === 'adaptive';

const isPresent = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  value !== false &&
  !(Array.isArray(value) && value.length === 0);

function holds(condition: PriceCondition, input: Json): boolean {
  const value = input[condition.field];
  if ('present' in condition) return isPresent(value) === condition.present;
  if ('at_least' in condition) return (leadingNumber(value) ?? Number.NEGATIVE_INFINITY) >= condition.at_least;
  return condition.in.some((scalar: Scalar) => scalar === (value ?? null));
}

/** Whether the value of a condition's field is left to the model and no option stands for that. */
const isOpen = (condition: PriceCondition, input: Json): boolean =>
  !('present' in condition) && isOpenValue(input[condition.field]) && !holds(condition, input);

/** Tiers that ask for the same fields, in their order. */
const groupTiers = (tiers: readonly PriceTier[]): readonly (readonly PriceTier[])[] => [
  ...Map.groupBy(tiers, ({ when }) => [...new Set(when.map(({ field }) => field))].sort().join('\n')).values(),
];

const highestOf = (tiers: readonly PriceTier[]): bigint =>
  tiers.reduce((most, { multiplier }) => (BigInt(multiplier) > most ? BigInt(multiplier) : most), ONE);

function conditionWords({ fields }: InputContract, condition: PriceCondition, input: Json): string {
  const field = fields.find(({ name }) => name === condition.field);
  const label = field?.label ?? condition.field;
  if ('present' in condition) return condition.present ? label : `no ${label.toLowerCase()}`;
  if ('at_least' in condition) return `${label} from ${condition.at_least}`;
  return `${label} ${valueLabel(field, input[condition.field])}`;
}

function valueLabel(field: FieldSpec | undefined, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const labels = field && 'option_labels' in field ? field.option_labels : undefined;
  return isJson(value) || Array.isArray(value) ? '' : (labels?.[String(value)] ?? String(value));
}

/** Returns the tiers that apply to an input. */
function inputFactor({ contract, price }: PricedModel, input: Json): Factor {
  const groups = groupTiers(price.tiers).map((tiers) => {
    const tier = tiers.find(({ when }) => when.every((condition) => holds(condition, input)));
    if (tier) {
      const conditions = tier.when.map((condition) => conditionWords(contract, condition, input)).join(', ');
      return { multiplier: BigInt(tier.multiplier), isOpen: false, words: conditions };
    }
    const open = tiers.filter(({ when }) =>
      when.every((condition) => holds(condition, input) || isOpen(condition, input)),
    );
    const label = contract.fields.find(({ name }) => name === open[0]?.when[0]?.field)?.label ?? '';
    return { multiplier: highestOf(open), isOpen: open.length > 0, words: `${label} at most` };
  });
  return {
    multiplier_millionths: groups.map(({ multiplier }) => multiplier),
    words: groups.flatMap(({ multiplier, words }) =>
      multiplier === ONE ? [] : [`${words} × ${formatDecimal(multiplier)}`],
    ),
    isOpen: groups.some((group) => group.isOpen),
  };
}

const highestFactor = ({ price }: PricedModel): Factor => ({
  multiplier_millionths: groupTiers(price.tiers).map(highestOf),
  words: [],
  isOpen: true,
});

const NO_FACTOR: Factor = { multiplier_millionths: [], words: [], isOpen: false };

const toFraction = ({ multiplier_millionths }: Factor) =>
  multiplier_millionths.reduce(
    ({ numerator, denominator }, multiplier) => ({ numerator: numerator * multiplier, denominator: denominator * ONE }),
    { numerator: 1n, denominator: 1n },
  );

const UNIT_NAMES: Readonly<Record<AddedPriceUnit, string>> = {
  image: 'image',
  second: 'second',
  megapixel: 'megapixel',
  '1000_characters': '1,000 characters',
  token: 'token',
  run: 'run',
};

/** `1,000,000 tokens` */
const unitName = ({ unit, per }: AddedPrice): string =>
  per === 1 ? UNIT_NAMES[unit] : `${per.toLocaleString('en-US')} ${UNIT_NAMES[unit]}s`;

/** Millionths of `per` units, rounded up to one. */
function toMillionths(units: number, per: number): bigint {
  const millionths = BigInt(Math.round(units * 1_000_000));
  return (millionths + BigInt(per) - 1n) / BigInt(per);
}

interface Counted {
  /** Of the whole run. */
  units: number | null;
  isExact: boolean;
}

function compose({ name, price }: PricedModel, { units, isExact }: Counted, factor: Factor): AddedQuote | null {
  const cap = price.cap_micro_usd === null ? null : BigInt(price.cap_micro_usd);
  if (units === null) return cap === null ? null : cappedQuote(name, cap, price);
  const fraction = toFraction(factor);
  const composed = composeEstimate({
    words: [name, ...factor.words],
    unit: unitName(price),
    unit_price_micro_usd: BigInt(price.unit_price_micro_usd),
    minimum_micro_usd: BigInt(price.minimum_micro_usd),
    highest: fraction,
    lowest: fraction,
    quantity: {
      millionths: toMillionths(units, price.per),
      basis: isExact && !factor.isOpen ? 'exact' : 'upper_bound',
    },
  });
  if (cap !== null && composed.amount_micro_usd > cap) return cappedQuote(name, cap, price);
  return { ...composed, certainty: composed.basis === 'exact' ? 'exact' : 'estimated' };
}

function cappedQuote(name: string, cap: bigint, { minimum_micro_usd }: AddedPrice): AddedQuote {
  const amount_usd = formatUsd(cap);
  const minimum = BigInt(minimum_micro_usd);
  return {
    amount_micro_usd: cap,
    minimum_micro_usd: minimum < cap ? minimum : cap,
    basis: 'upper_bound',
    certainty: 'capped',
    line_items: [
      { description: `${name} · at most`, quantity: '1', unit: 'run', unit_price_usd: amount_usd, amount_usd },
    ],
  };
}

const roundUnits = ({ rounding }: AddedPrice, units: number): number =>
  // A millionth less, so that floating-point noise is no unit.
  rounding === 'up' ? Math.ceil(units - 0.000_001) : units;

const multiply = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a * b);

/**
 * Prices an input of an added model. Where something that counts is not known, the most of it is assumed.
 * @param input validated by `parseInput`, with defaults
 * @returns null if nothing bounds the price: such a model is not published
 */
export function quote(model: PricedModel, input: Json, measured: Measured = {}): AddedQuote | null {
  const { price, contract } = model;
  const factor = inputFactor(model, input);
  const reported = resultQuantity(price, measured.outputs);
  // What a provider bills has its factors in it.
  if (measured.units !== undefined) return compose(model, { units: measured.units, isExact: true }, NO_FACTOR);
  if (reported !== null) return compose(model, { units: roundUnits(price, reported), isExact: true }, factor);
  const [known, outputs] = [knownQuantity(price, input, measured), knownCount(price.outputs, input)];
  const largest = known === null ? largestQuantity(price, contract) : null;
  const each = known === null ? (largest === null ? null : Math.ceil(largest)) : roundUnits(price, known);
  const units = multiply(each, outputs ?? largestCount(price.outputs, contract));
  return compose(model, { units, isExact: known !== null && outputs !== null }, factor);
}

/**
 * Returns the most that any input of a model can cost: unit price × largest quantity, rounded up × most outputs × highest
 * tiers, or the cap.
 * @returns null if nothing bounds it
 */
export function upperBound(model: PricedModel): AddedQuote | null {
  const { price, contract } = model;
  const largest = largestQuantity(price, contract);
  const units = multiply(largest === null ? null : Math.ceil(largest), largestCount(price.outputs, contract));
  return compose(model, { units, isExact: false }, highestFactor(model));
}

/** The fields of an input that decide its price. */
export const countedFields = ({ quantity, outputs, tiers }: AddedPrice): ReadonlySet<string> =>
  new Set([
    ...('field' in quantity ? [quantity.field] : []),
    ...(quantity.from === 'text' ? quantity.fields : []),
    ...('field' in outputs ? [outputs.field] : []),
    ...tiers.flatMap(({ when }) => when.map(({ field }) => field)),
  ]);

/** Returns what of a price does not fit the contract, as sentences: fields that are not there, and a price without bound. */
export function priceProblems(model: PricedModel): string[] {
  const { price, contract } = model;
  const missing = [...countedFields(price)].filter((name) => !contract.fields.some((field) => field.name === name));
  return [
    ...missing.map((name) => `The price counts “${name}”, which is no field.`),
    ...(upperBound(model) === null ? ['Nothing bounds the price. Add a cap, or the largest quantity.'] : []),
  ];
}
