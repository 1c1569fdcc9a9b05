import type { AddedPrice, AddedPriceUnit } from '#contract/added-models/prices/price-schema.ts';
import { suggestPrice } from '#contract/added-models/prices/suggest-price.ts';
import { formatMoney, parseUsd } from '#contract/money/money.ts';
import type { ModelInspection } from '#contract/resources/added-model.ts';

export interface PriceOptions {
  unit?: string;
  price?: string;
  cap?: string;
}

/** As providers name the units, because that decides what counts. */
export const UNIT_NAMES = {
  image: 'images',
  second: 'seconds',
  megapixel: 'megapixels',
  '1000_characters': '1000 characters',
  token: 'tokens',
  run: 'runs',
} as const satisfies Record<AddedPriceUnit, string>;
const isUnit = (text: string): text is AddedPriceUnit => Object.hasOwn(UNIT_NAMES, text);

/** What the provider publishes, or the price that the options name. @throws an error with a sentence */
export function readPrice(
  { unit, price, cap }: PriceOptions,
  { suggested, ...form }: Pick<ModelInspection, 'suggested' | 'contract' | 'output' | 'category' | 'price_text'>,
): AddedPrice {
  if (unit !== undefined && !isUnit(unit)) throw new Error(`--unit: Choose ${Object.keys(UNIT_NAMES).join(', ')}.`);
  if ((unit === undefined) !== (price === undefined)) throw new Error('Enter --price and --unit together.');
  const base =
    unit === undefined || price === undefined
      ? suggested.price
      : suggestPrice(
          { unit_price: parseDollars('--price', price) / 1_000_000, unit: UNIT_NAMES[unit] },
          { ...form, is_entered: true },
        ).price;
  if (!base && price !== undefined) throw new Error('--price: No price of this unit can be that high.');
  if (!base)
    throw new Error(
      `${suggested.price_problem ?? 'The provider publishes no price of this model.'} Enter --price and --unit.`,
    );
  return cap === undefined ? base : { ...base, cap_micro_usd: parseDollars('--cap', cap) };
}

/** @returns micro-dollars */
function parseDollars(option: string, text: string): number {
  try {
    return Number(parseUsd(text));
  } catch {
    throw new Error(`${option}: Enter dollars such as 0.05, with six decimals at most.`);
  }
}

/** One line, such as `$0.05 per 1000 characters of text`. */
export function describePrice({ unit, per, unit_price_micro_usd, quantity, cap_micro_usd }: AddedPrice): string {
  const money = (micro: number) => formatMoney(BigInt(micro));
  const noun = `${per === 1 ? '' : `${per.toLocaleString('en-US')} × `}${unit.replace('_', ' ')}`;
  const fields = 'field' in quantity ? [quantity.field] : 'fields' in quantity ? quantity.fields : [];
  const counted = fields.length > 0 ? ` of ${fields.join(', ')}` : quantity.from === 'result' ? ' of the result' : '';
  const cap = cap_micro_usd === null ? '' : `, at most ${money(cap_micro_usd)}`;
  return `${money(unit_price_micro_usd)} per ${noun}${counted}${cap}`;
}
