import { isJson, type Json, property } from '#contract/json-value.ts';
import { composeEstimate, type Estimate } from '#contract/money/estimate.ts';
import { formatDecimal, formatMoney, formatUsd, MAX_RUN_MICRO_USD, toMillionths } from '#contract/money/money.ts';
import { isOwnText, numberOf } from '#contract/money/quantity-text.ts';
import type { FieldSpec, InputContract, Scalar } from '#contract/task.ts';
import {
  findField,
  knownCount,
  knownQuantity,
  largestCount,
  largestQuantity,
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

const fold = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

function holds(contract: InputContract, condition: PriceCondition, input: Json): boolean {
  const value = property(input, condition.field);
  const field = findField(contract, condition.field);
  if ('present' in condition) return isPresent(value) === condition.present;
  if ('at_least' in condition) return (numberOf(field, value) ?? Number.NEGATIVE_INFINITY) >= condition.at_least;
  // A provider may read “1080P” as the option “1080p”.
  const isEqual = isOwnText(field, value)
    ? (scalar: Scalar) => typeof scalar === 'string' && fold(scalar) === fold(value)
    : (scalar: Scalar) => scalar === (value ?? null);
  return condition.in.some(isEqual);
}

/** Whether the value of a condition's field is left to the model, or is no number that can be compared. */
function isOpen(contract: InputContract, condition: PriceCondition, input: Json): boolean {
  if ('present' in condition || holds(contract, condition, input)) return false;
  const value = property(input, condition.field);
  const field = findField(contract, condition.field);
  return isOpenValue(value) || ('at_least' in condition && isOwnText(field, value) && numberOf(field, value) === null);
}

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
  return `${label} ${valueLabel(field, property(input, condition.field))}`;
}

function valueLabel(field: FieldSpec | undefined, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  const labels = field && 'option_labels' in field ? field.option_labels : undefined;
  return isJson(value) || Array.isArray(value) ? '' : String(property(labels, String(value)) ?? value);
}

/** Returns the tiers that apply to an input. */
function inputFactor({ contract, price }: PricedModel, input: Json): Factor {
  const groups = groupTiers(price.tiers).map((tiers) => {
    const tier = tiers.find(({ when }) => when.every((condition) => holds(contract, condition, input)));
    if (tier) {
      const conditions = tier.when.map((condition) => conditionWords(contract, condition, input)).join(', ');
      return { multiplier: BigInt(tier.multiplier), isOpen: false, words: conditions };
    }
    const open = tiers.filter(({ when }) =>
      when.every((condition) => holds(contract, condition, input) || isOpen(contract, condition, input)),
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

interface Counted {
  /** Of the whole run. */
  units: number | null;
  isExact: boolean;
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** @returns null if nothing bounds it; never more than a run may cost, nor nothing where a unit has a price */
function compose({ name, price }: PricedModel, { units, isExact }: Counted, factor: Factor): AddedQuote | null {
  if (units === null && price.cap_micro_usd === null) return null;
  const fraction = toFraction(factor);
  const least = price.unit_price_micro_usd > 0 && fraction.numerator > 0n ? 1n : 0n;
  const limit = greater(smaller(BigInt(price.cap_micro_usd ?? MAX_RUN_MICRO_USD), MAX_RUN_MICRO_USD), least);
  const millionths = units === null ? null : toMillionths(units);
  if (millionths === null) return cappedQuote(name, limit, price);
  const composeWith = (minimumMicroUsd: bigint) =>
    composeEstimate({
      words: [name, ...factor.words],
      unit: unitName(price),
      unit_price_micro_usd: BigInt(price.unit_price_micro_usd),
      minimum_micro_usd: minimumMicroUsd,
      highest: fraction,
      lowest: fraction,
      quantity: {
        // Of `per` units, rounded up to a millionth.
        millionths: (millionths + BigInt(price.per) - 1n) / BigInt(price.per),
        basis: isExact && !factor.isOpen ? 'exact' : 'upper_bound',
      },
    });
  const rounded = composeWith(BigInt(price.minimum_micro_usd));
  const composed = rounded.amount_micro_usd < least ? composeWith(least) : rounded;
  if (composed.amount_micro_usd > limit) return cappedQuote(name, limit, price);
  return { ...composed, certainty: composed.basis === 'exact' ? 'exact' : 'estimated' };
}

function cappedQuote(name: string, cap: bigint, { minimum_micro_usd }: AddedPrice): AddedQuote {
  const amountUsd = formatUsd(cap);
  return {
    amount_micro_usd: cap,
    minimum_micro_usd: smaller(BigInt(minimum_micro_usd), cap),
    basis: 'upper_bound',
    certainty: 'capped',
    line_items: [
      {
        description: `${name} · at most`,
        quantity: '1',
        unit: 'run',
        unit_price_usd: amountUsd,
        amount_usd: amountUsd,
      },
    ],
  };
}

const roundUnits = ({ rounding }: AddedPrice, units: number): number =>
  // A millionth less, so that floating-point noise is no unit.
  rounding === 'up' ? Math.ceil(units - 0.000_001) : units;

const multiply = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a * b);
const atMost = (number: number, most: number | null): number => (most === null ? number : Math.min(number, most));

/**
 * Prices an input of an added model. Where something that counts is not known, the most of it is assumed.
 * @param input validated by `parseInput`, with defaults
 * @returns null if nothing bounds the price: such a model is not published
 */
export function quote(model: PricedModel, input: Json, measured: Measured = {}): AddedQuote | null {
  const { price, contract } = model;
  const factor = inputFactor(model, input);
  const reported = resultQuantity(price, measured.outputs);
  // What a provider bills has its factors in it. An unreadable bill counts as none.
  if (measured.units !== undefined && toMillionths(measured.units) !== null)
    return compose(model, { units: measured.units, isExact: true }, NO_FACTOR);
  if (reported !== null) return compose(model, { units: roundUnits(price, reported), isExact: true }, factor);
  const [largest, most] = [largestQuantity(price, contract), largestCount(price.outputs, contract)];
  const known = knownQuantity(price, contract, input, measured);
  const outputs = knownCount(price.outputs, contract, input);
  // An order above its bound is refused before; a quote never exceeds it either.
  const each =
    known !== null ? roundUnits(price, atMost(known, largest)) : largest === null ? null : Math.ceil(largest);
  const units = multiply(each, outputs === null ? most : atMost(outputs, most));
  return compose(model, { units, isExact: known !== null && outputs !== null }, factor);
}

/**
 * Returns the most that any input of a model can cost: unit price × largest quantity, rounded up × most outputs × highest
 * tiers, or the cap.
 * @returns null if nothing bounds it
 */
export const upperBound = (model: PricedModel): AddedQuote | null =>
  compose(model, { units: mostUnits(model), isExact: false }, highestFactor(model));

function mostUnits({ price, contract }: PricedModel): number | null {
  const largest = largestQuantity(price, contract);
  return multiply(largest === null ? null : Math.ceil(largest), largestCount(price.outputs, contract));
}

/** The fields of an input that decide its price. */
export const countedFields = ({ quantity, outputs, tiers }: AddedPrice): ReadonlySet<string> =>
  new Set([
    ...('field' in quantity ? [quantity.field] : []),
    ...(quantity.from === 'text' ? quantity.fields : []),
    ...('field' in outputs ? [outputs.field] : []),
    ...tiers.flatMap(({ when }) => when.map(({ field }) => field)),
  ]);

const UNBOUNDED = 'Nothing bounds the price. Add a cap, or the largest quantity.';
const ABOVE_LIMIT = `One run could cost more than ${formatMoney(MAX_RUN_MICRO_USD)}. Lower the price, the factors or the largest quantity, or add a cap.`;
const FREE_CAP = 'A cap of zero makes every run free. Enter a price of zero instead, or a higher cap.';
const NO_TIME = 'Only a price per second counts a time.';
const ROUNDED_AWAY = 'With its lowest factor, a unit costs less than a micro-dollar. Price more units at once.';

function exceedsLimit(model: PricedModel): boolean {
  const { price } = model;
  const factor = toFraction(highestFactor(model));
  const unitPrice = (BigInt(price.unit_price_micro_usd) * factor.numerator) / factor.denominator;
  if (unitPrice > MAX_RUN_MICRO_USD || BigInt(price.minimum_micro_usd) > MAX_RUN_MICRO_USD) return true;
  if (price.cap_micro_usd !== null) return BigInt(price.cap_micro_usd) > MAX_RUN_MICRO_USD;
  const units = mostUnits(model);
  const millionths = units === null ? null : toMillionths(units);
  return millionths === null || unitPrice * millionths > MAX_RUN_MICRO_USD * ONE * BigInt(price.per);
}

/** Why nobody can order at a price, as a sentence; null if nothing is wrong. */
export const priceObstacle = (model: PricedModel): string | null =>
  upperBound(model) === null ? UNBOUNDED : exceedsLimit(model) ? ABOVE_LIMIT : null;

/** Whether a factor leaves nothing of the price of a unit, which is a whole number of micro-dollars. */
function roundsToZero({ price }: PricedModel): boolean {
  const lowest = groupTiers(price.tiers).map((tiers) =>
    tiers.reduce((least, { multiplier }) => (multiplier > 0 ? smaller(least, BigInt(multiplier)) : least), ONE),
  );
  const { numerator, denominator } = toFraction({ ...NO_FACTOR, multiplier_millionths: lowest });
  return price.unit_price_micro_usd > 0 && 2n * BigInt(price.unit_price_micro_usd) * numerator < denominator;
}

/** Returns what of a price does not fit the contract, as sentences: fields that are not there, and a price without bound. */
export function priceProblems(model: PricedModel): string[] {
  const { price, contract } = model;
  const missing = [...countedFields(price)].filter((name) => !contract.fields.some((field) => field.name === name));
  const obstacle = priceObstacle(model);
  return [
    ...missing.map((name) => `The price counts “${name}”, which is no field.`),
    ...(obstacle === null ? [] : [obstacle]),
    ...(price.cap_micro_usd === 0 && price.unit_price_micro_usd > 0 ? [FREE_CAP] : []),
    ...(roundsToZero(model) ? [ROUNDED_AWAY] : []),
    ...(price.unit !== 'second' && 'measured_in' in price.quantity ? [NO_TIME] : []),
  ];
}
