import type { FieldSpec, InputContract } from '../task.ts';
import { wordsOf } from './describe-field.ts';
import { AddedPrice, type PriceQuantity } from './price-schema.ts';

/** A price as a provider publishes it: `{ unit_price: 0.04, unit: '1000 characters' }`. */
export interface PublishedPrice {
  unit_price: number;
  /** Free text. */
  unit: string;
}

type Basis = Pick<AddedPrice, 'unit' | 'per'> & {
  quantity: (contract: InputContract) => PriceQuantity;
  /** Units of ours in one of the provider's. */
  size?: number;
};

const findByWords = (
  contract: InputContract,
  kinds: readonly FieldSpec['kind'][],
  words: readonly string[],
): FieldSpec | undefined =>
  contract.fields.find(({ kind, name }) => kinds.includes(kind) && wordsOf(name).some((word) => words.includes(word)));

const RESULT: PriceQuantity = { from: 'result', largest: null };

/** The field that sets the length; otherwise the file whose length counts. */
function secondsOf(contract: InputContract): PriceQuantity {
  const duration = findByWords(contract, ['choice', 'number', 'integer'], ['duration', 'seconds', 'length']);
  if (duration) return { from: 'field', field: duration.name, largest: null };
  return mediaSeconds(contract);
}

function mediaSeconds(contract: InputContract): PriceQuantity {
  const media = contract.fields.find((field) => field.kind === 'reference' && field.media !== 'image');
  return media ? { from: 'media', field: media.name, largest: null } : RESULT;
}

function megapixelsOf(contract: InputContract): PriceQuantity {
  const size = contract.fields.find(({ kind }) => kind === 'size');
  return size ? { from: 'size', field: size.name, largest: null } : RESULT;
}

function charactersOf(contract: InputContract): PriceQuantity {
  const texts = contract.fields.filter(({ kind }) => kind === 'text');
  const text = texts.find((field) => 'required' in field && field.required) ?? texts[0];
  return text ? { from: 'text', fields: [text.name], largest: null } : RESULT;
}

const one = (): PriceQuantity => ({ from: 'one' });
const result = (): PriceQuantity => RESULT;

/** What units of providers are called, singular. */
const BASES: Readonly<Record<string, Basis>> = {
  image: { unit: 'image', per: 1, quantity: one },
  megapixel: { unit: 'megapixel', per: 1, quantity: megapixelsOf },
  'processed megapixel': { unit: 'megapixel', per: 1, quantity: result },
  second: { unit: 'second', per: 1, quantity: secondsOf },
  minute: { unit: 'second', per: 1, quantity: secondsOf, size: 60 },
  'input second': { unit: 'second', per: 1, quantity: mediaSeconds },
  'compute second': { unit: 'second', per: 1, quantity: result },
  character: { unit: '1000_characters', per: 1, quantity: charactersOf, size: 0.001 },
  token: { unit: 'token', per: 1_000_000, quantity: result, size: 1 },
  generation: { unit: 'run', per: 1, quantity: one },
  video: { unit: 'run', per: 1, quantity: one },
  audio: { unit: 'run', per: 1, quantity: one },
  request: { unit: 'run', per: 1, quantity: one },
  run: { unit: 'run', per: 1, quantity: one },
};

/** `5 seconds` → 5 of `second`. */
function parseUnit(text: string): { count: number; basis: Basis } | null {
  const [, digits, name] = /^(\d[\d,]{0,8})?\s*([a-z][a-z ]{0,40}?)s?$/i.exec(text.trim()) ?? [];
  const key = name?.toLowerCase() ?? '';
  const basis = Object.hasOwn(BASES, key) ? BASES[key] : undefined;
  const count = digits === undefined ? 1 : Number(digits.replaceAll(',', ''));
  return basis && count > 0 ? { count, basis } : null;
}

/**
 * Converts what a provider bills to units of a model's price; null if the price counts something else. A unit that is not
 * known is the provider's own, and counts where the price is of what the result shows.
 */
export function toPriceUnits(
  { unit, quantity }: Pick<AddedPrice, 'unit' | 'quantity'>,
  billed: { units: number; unit: string },
): number | null {
  const parsed = parseUnit(billed.unit);
  if (!parsed) return unit === 'run' && quantity.from === 'result' ? billed.units : null;
  return parsed.basis.unit === unit ? billed.units * parsed.count * (parsed.basis.size ?? 1) : null;
}

/** Dollars of a JSON number as whole micro-dollars of `per` units, rounded up; floating-point noise does not count. */
function toMicroUsd(dollars: number, per: number): number {
  const rounded = Math.ceil(Number((dollars * per * 1_000_000).toFixed(3)));
  return dollars > 0 ? Math.max(1, rounded) : rounded;
}

const OUTPUT_WORDS = ['images', 'outputs', 'samples', 'n'];

export const NO_PRICE_REASON =
  'The price that the provider publishes is below zero or higher than a price here can be. Enter the price.';

/**
 * Suggests the price of a model from what its provider publishes. The administrator confirms it: a unit price says
 * nothing about tiers, and a unit that is not known becomes a run.
 * @returns null if no price can be what the provider publishes
 */
export function suggestPrice({ unit_price, unit }: PublishedPrice, contract: InputContract): AddedPrice | null {
  const parsed = parseUnit(unit);
  const basis = parsed?.basis ?? { unit: 'run', per: 1, quantity: result };
  const dollars = unit_price / ((parsed?.count ?? 1) * (basis.size ?? 1));
  // Less than a hundred micro-dollars would lose digits.
  const per = basis.per === 1 && dollars < 0.0001 ? 1_000 : basis.per;
  const outputs = findByWords(contract, ['integer', 'choice'], OUTPUT_WORDS);
  const countsOutputs = outputs && (basis.unit === 'image' || basis.unit === 'megapixel');
  const quantity = basis.quantity(contract);
  const suggested: AddedPrice = {
    unit: basis.unit,
    unit_price_micro_usd: toMicroUsd(dollars, per),
    per,
    quantity,
    outputs: countsOutputs && quantity.from !== 'result' ? { field: outputs.name } : { count: 1 },
    rounding: basis.unit === 'megapixel' ? 'up' : 'exact',
    minimum_micro_usd: 0,
    cap_micro_usd: null,
    tiers: [],
  };
  return AddedPrice.safeParse(suggested).success ? suggested : null;
}
