import type { MeasuredFile } from '#contract/money/estimate.ts';
import { type Json, property } from '#contract/json-value.ts';
import { isOwnText, megapixelsOf, numberOf, optionNumber, toMegapixels } from '#contract/money/quantity-text.ts';
import type { FieldSpec, InputContract, QuantityBound } from '#contract/task.ts';
import { SECONDS_OF } from './length-field.ts';
import type { AddedPrice, AddedPriceUnit, PriceQuantity } from './price-schema.ts';

/** What is known besides the input. */
export interface Measured {
  /** Files of the input, by field. */
  media?: Readonly<Record<string, MeasuredFile>>;
  /** Files of the result. */
  outputs?: readonly MeasuredFile[];
  /** Units that the provider bills for the whole run, tiers included. */
  units?: number;
}

/** null for what is no quantity: a file without length counts as one of unknown length. */
const positive = (quantity: number | null | undefined): number | null =>
  quantity != null && quantity > 0 && Number.isFinite(quantity) ? quantity : null;

function quantityOfFile(unit: AddedPriceUnit, file: MeasuredFile | undefined): number | null {
  if (unit === 'second') return positive(file?.seconds);
  if (unit !== 'megapixel' || file?.width === undefined || file.height === undefined) return null;
  return toMegapixels(file.width, file.height);
}

function countCharacters(input: Json, fields: readonly string[]): number | null {
  const texts = fields.map((name) => property(input, name) ?? '');
  if (!texts.every((text) => typeof text === 'string')) return null;
  return texts.reduce((sum, text) => sum + [...text].length, 0) / 1_000;
}

export const findField = (contract: InputContract, name: string): FieldSpec | undefined =>
  contract.fields.find((field) => field.name === name);

/** Units of the price in one of the field: a millisecond is a thousandth of a second. */
const unitsIn = ({ measured_in = 'seconds' }: Extract<PriceQuantity, { from: 'field' }>): number =>
  SECONDS_OF[measured_in];

/** Without the noise of 0.001 × 3. */
const multiply = (number: number | null, factor: number): number | null =>
  number === null || factor === 1 ? number : Number((number * factor).toFixed(6));

const hasMinimum = (field: FieldSpec | undefined): boolean =>
  (field?.kind === 'number' || field?.kind === 'integer') && field.min !== null && field.min > 0;

/**
 * What a field says of a quantity; null if that is not certain. Where the schema allows less than a unit without naming
 * the least, a unit counts: a provider may take 1e-300 for its default.
 */
function quantityOfField(contract: InputContract, name: string, input: Json, unitsEach = 1): number | null {
  const field = findField(contract, name);
  const value = property(input, name);
  const number = positive(multiply(numberOf(field, value), unitsEach));
  if (number === null) return null;
  const isListed = field?.kind === 'choice' && !isOwnText(field, value);
  return isListed || hasMinimum(field) ? number : Math.max(1, number);
}

/** Returns what an input has of the unit per output; null if it is not known yet. */
export function knownQuantity(
  { quantity, unit }: Pick<AddedPrice, 'quantity' | 'unit'>,
  contract: InputContract,
  input: Json,
  measured: Measured,
): number | null {
  switch (quantity.from) {
    case 'one':
      return 1;
    case 'field':
      return quantityOfField(contract, quantity.field, input, unitsIn(quantity));
    case 'text':
      return countCharacters(input, quantity.fields);
    case 'size':
      return megapixelsOf(property(input, quantity.field));
    case 'media':
      return quantityOfFile(unit, measured.media?.[quantity.field]);
    case 'result':
      return null;
  }
}

/** Returns the quantity of the whole run that its result shows; null if it shows none. */
export function resultQuantity({ quantity, unit }: AddedPrice, outputs: Measured['outputs']): number | null {
  if (quantity.from !== 'result' || !outputs) return null;
  if (unit === 'image' || unit === 'run') return unit === 'run' ? 1 : outputs.length;
  const all = outputs.map((file) => quantityOfFile(unit, file));
  return all.every((each) => each !== null) ? all.reduce((sum, each) => sum + each, 0) : null;
}

export const knownCount = (count: AddedPrice['outputs'], contract: InputContract, input: Json): number | null =>
  'count' in count ? count.count : quantityOfField(contract, count.field, input);

/** The largest number that a field takes; null if it has no bound. */
function largestNumber(field: FieldSpec | undefined): number | null {
  if (field?.kind === 'number' || field?.kind === 'integer') return positive(field.max);
  if (field?.kind !== 'choice' || field.own_max_length !== undefined) return null;
  const numbers = field.options.map(optionNumber).filter((number) => number !== null);
  return numbers.length > 0 ? positive(Math.max(...numbers)) : null;
}

function largestMegapixels(field: FieldSpec | undefined): number | null {
  if (field?.kind !== 'size' && (field?.kind !== 'choice' || field.own_max_length !== undefined)) return null;
  const sizes = field.options.map(megapixelsOf);
  if (field.kind === 'size')
    return Math.max(toMegapixels(field.max, field.max) ?? 0, ...sizes.map((size) => size ?? 0));
  return sizes.every((size) => size !== null) && sizes.length > 0 ? Math.max(...sizes) : null;
}

function mostCharacters(field: FieldSpec | undefined): number | null {
  if (field?.kind === 'text') return field.max_length;
  if (field?.kind !== 'choice') return null;
  return Math.max(field.own_max_length ?? 0, ...field.options.map((option) => [...String(option)].length));
}

/** What the form allows at most; null if it sets no bound. */
function largestByForm(quantity: PriceQuantity, contract: InputContract): number | null {
  const field = (name: string) => findField(contract, name);
  switch (quantity.from) {
    case 'one':
      return 1;
    case 'field':
      return positive(multiply(largestNumber(field(quantity.field)), unitsIn(quantity)));
    case 'text':
      return quantity.fields.reduce<number | null>((sum, name) => {
        const characters = mostCharacters(field(name));
        return sum === null || characters === null ? null : sum + characters / 1_000;
      }, 0);
    case 'size':
      return largestMegapixels(field(quantity.field));
    case 'media':
    case 'result':
      return null;
  }
}

const statedQuantity = (quantity: PriceQuantity): number | null => ('largest' in quantity ? quantity.largest : null);

/** Returns the most of the unit that an output can have; null if nothing bounds it. */
export const largestQuantity = ({ quantity }: Pick<AddedPrice, 'quantity'>, contract: InputContract): number | null =>
  largestByForm(quantity, contract) ?? statedQuantity(quantity);

export const largestCount = (count: AddedPrice['outputs'], contract: InputContract): number | null =>
  'count' in count ? count.count : largestNumber(findField(contract, count.field));

/** What an input may say at most where only the price bounds it. */
export function quantityBounds({ quantity }: Pick<AddedPrice, 'quantity'>, contract: InputContract): QuantityBound[] {
  const most = statedQuantity(quantity);
  if (most === null || largestByForm(quantity, contract) !== null) return [];
  if (quantity.from === 'field') return [{ field: quantity.field, of: 'number', most: most / unitsIn(quantity) }];
  return quantity.from === 'size' ? [{ field: quantity.field, of: 'megapixels', most }] : [];
}

/** Which file is more than the price is bounded by; null if none is. */
export function fileExcess(
  { quantity, unit }: Pick<AddedPrice, 'quantity' | 'unit'>,
  contract: InputContract,
  files: NonNullable<Measured['media']>,
): { field: string; message: string } | null {
  if (quantity.from !== 'media' || quantity.largest === null || !Object.hasOwn(files, quantity.field)) return null;
  const amount = quantityOfFile(unit, files[quantity.field]);
  if (amount === null || amount <= quantity.largest) return null;
  const label = findField(contract, quantity.field)?.label ?? quantity.field;
  const most = `${quantity.largest.toLocaleString('en-US')} ${unit}s`;
  return {
    field: quantity.field,
    message: `${label} can have at most ${most}; the file has ${Number(amount.toFixed(3))}.`,
  };
}
