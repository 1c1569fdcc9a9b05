import type { MeasuredFile } from '../estimate.ts';
import { isJson, type Json } from '../json-value.ts';
import type { FieldSpec, InputContract } from '../task.ts';
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

/** Sizes that fal names. */
const NAMED_SIZES: Readonly<Record<string, readonly [width: number, height: number]>> = {
  square_hd: [1024, 1024],
  square: [512, 512],
  portrait_4_3: [768, 1024],
  portrait_16_9: [576, 1024],
  landscape_4_3: [1024, 768],
  landscape_16_9: [1024, 576],
};

const toMegapixels = (width: number, height: number): number => (width * height) / 1_000_000;

/** The number that a value is or starts with: `8`, `"8"`, `"8s"`; null for others, such as `auto`. */
export function leadingNumber(value: unknown): number | null {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : null;
}

function megapixelsOfSize(value: unknown): number | null {
  if (isJson(value)) {
    const [width, height] = [leadingNumber(value['width']), leadingNumber(value['height'])];
    return width === null || height === null ? null : toMegapixels(width, height);
  }
  if (typeof value !== 'string') return null;
  const named = Object.hasOwn(NAMED_SIZES, value) ? NAMED_SIZES[value] : undefined;
  if (named) return toMegapixels(...named);
  const [, width, height] = /^(\d{1,5})\s*[x×*]\s*(\d{1,5})$/.exec(value) ?? [];
  return width && height ? toMegapixels(Number(width), Number(height)) : null;
}

function quantityOfFile(unit: AddedPriceUnit, file: MeasuredFile | undefined): number | null {
  if (unit === 'second') return file?.seconds ?? null;
  if (unit !== 'megapixel' || file?.width === undefined || file.height === undefined) return null;
  return toMegapixels(file.width, file.height);
}

function countCharacters(input: Json, fields: readonly string[]): number | null {
  const texts = fields.map((name) => input[name] ?? '');
  if (!texts.every((text) => typeof text === 'string')) return null;
  return texts.reduce((sum, text) => sum + [...text].length, 0) / 1_000;
}

/** Returns what an input has of the unit per output; null if it is not known yet. */
export function knownQuantity({ quantity, unit }: AddedPrice, input: Json, measured: Measured): number | null {
  switch (quantity.from) {
    case 'one':
      return 1;
    case 'field':
      return leadingNumber(input[quantity.field]);
    case 'text':
      return countCharacters(input, quantity.fields);
    case 'size':
      return megapixelsOfSize(input[quantity.field]);
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

export const knownCount = (count: AddedPrice['outputs'], input: Json): number | null =>
  'count' in count ? count.count : leadingNumber(input[count.field]);

const findField = (contract: InputContract, name: string): FieldSpec | undefined =>
  contract.fields.find((field) => field.name === name);

/** The largest number that a field takes; null if it has no bound. */
function largestNumber(field: FieldSpec | undefined): number | null {
  if (field?.kind === 'number' || field?.kind === 'integer') return field.max;
  if (field?.kind !== 'choice' || field.own_max_length !== undefined) return null;
  const numbers = field.options.map(leadingNumber).filter((number) => number !== null);
  return numbers.length > 0 ? Math.max(...numbers) : null;
}

function largestMegapixels(field: FieldSpec | undefined): number | null {
  if (field?.kind === 'size') return toMegapixels(field.max, field.max);
  if (field?.kind !== 'choice' || field.own_max_length !== undefined) return null;
  const sizes = field.options.map(megapixelsOfSize);
  return sizes.every((size) => size !== null) && sizes.length > 0 ? Math.max(...sizes) : null;
}

/** What the form allows at most; null if it sets no bound. */
function largestByForm(quantity: PriceQuantity, contract: InputContract): number | null {
  const field = (name: string) => findField(contract, name);
  switch (quantity.from) {
    case 'one':
      return 1;
    case 'field':
      return largestNumber(field(quantity.field));
    case 'text':
      return quantity.fields.reduce<number | null>((sum, name) => {
        const text = field(name);
        return sum === null || text?.kind !== 'text' || text.max_length === null ? null : sum + text.max_length / 1_000;
      }, 0);
    case 'size':
      return largestMegapixels(field(quantity.field));
    case 'media':
    case 'result':
      return null;
  }
}

/** Returns the most of the unit that an output can have; null if nothing bounds it. */
export function largestQuantity({ quantity }: Pick<AddedPrice, 'quantity'>, contract: InputContract): number | null {
  const byForm = largestByForm(quantity, contract);
  const stated = 'largest' in quantity ? quantity.largest : null;
  return byForm ?? stated;
}

export const largestCount = (count: AddedPrice['outputs'], contract: InputContract): number | null =>
  'count' in count ? count.count : largestNumber(findField(contract, count.field));
