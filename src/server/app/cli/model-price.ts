import type { Command } from 'commander';
import { AddedPrice, type AddedPriceUnit, type PriceQuantity } from '#contract/added-models/price-schema.ts';
import { suggestPrice } from '#contract/added-models/suggest-price.ts';
import { formatMoney, parseUsd } from '#contract/money.ts';
import type { ModelInspection } from '#contract/resources/added-model.ts';
import { parseRequest } from './parse-request.ts';

export interface PriceOptions {
  unit?: string;
  price?: string;
  per?: string;
  quantity?: string;
  largest?: string;
  cap?: string;
  minimum?: string;
}

/** What counts is looked for by what a provider calls the unit. */
const UNIT_NAMES = {
  image: 'images',
  second: 'seconds',
  megapixel: 'megapixels',
  '1000_characters': '1000 characters',
  token: 'tokens',
  run: 'runs',
} as const satisfies Record<AddedPriceUnit, string>;
const isUnit = (text: string): text is AddedPriceUnit => Object.hasOwn(UNIT_NAMES, text);

export const addPriceOptions = (command: Command): Command =>
  command
    .option('--price <dollars>', 'what the provider charges for a unit; by default what it publishes')
    .option('--unit <unit>', Object.keys(UNIT_NAMES).join(', '))
    .option('--per <count>', 'units that the price is for: 1, 1000 or 1000000')
    .option(
      '--quantity <what>',
      'what counts: one, result, field:NAME, text:NAME[,NAME], size:NAME, media:NAME, sides:WIDTH,HEIGHT',
    )
    .option('--largest <number>', 'the most of it, where the form sets no bound')
    .option('--cap <dollars>', 'the most that a run is charged')
    .option('--minimum <dollars>', 'the least that a run is charged');

/** The suggested price with what the options change. @throws an error with a sentence */
export function readPrice(options: PriceOptions, inspection: ModelInspection): AddedPrice {
  const { price, per, quantity, largest, cap, minimum } = options;
  const base = basePrice(options, inspection);
  return parseRequest(AddedPrice, {
    ...base,
    ...(price === undefined ? {} : { unit_price_micro_usd: parseDollars('--price', price), per: 1 }),
    ...(per === undefined ? {} : { per: Number(per) }),
    quantity: withLargest(quantity === undefined ? base.quantity : parseQuantity(quantity), largest),
    ...(minimum === undefined ? {} : { minimum_micro_usd: parseDollars('--minimum', minimum) }),
    ...(cap === undefined ? {} : { cap_micro_usd: parseDollars('--cap', cap) }),
  });
}

function basePrice({ unit, price }: PriceOptions, { suggested, contract }: ModelInspection): AddedPrice {
  if (unit === undefined) {
    if (suggested.price) return suggested.price;
    throw new Error('The provider publishes no price of this model. Enter --price and --unit.');
  }
  if (!isUnit(unit)) throw new Error(`--unit: Choose ${Object.keys(UNIT_NAMES).join(', ')}.`);
  if (suggested.price?.unit === unit) return suggested.price;
  if (price === undefined) throw new Error('--price: Enter the price of this unit.');
  return suggestPrice({ unit_price: 1, unit: UNIT_NAMES[unit] }, contract);
}

function parseDollars(option: string, text: string): number {
  try {
    return Number(parseUsd(text));
  } catch {
    throw new Error(`${option}: Enter dollars such as 0.05, with six decimals at most.`);
  }
}

function parseQuantity(text: string): PriceQuantity {
  const [, from = text, list = ''] = /^(\w+):(.+)$/.exec(text) ?? [];
  const [first = '', second = ''] = list.split(',');
  const largest = null;
  if (text === 'one') return { from: 'one' };
  if (text === 'result') return { from: 'result', largest };
  if (list !== '') {
    if (from === 'field' || from === 'size' || from === 'media') return { from, field: list, largest };
    if (from === 'text') return { from, fields: list.split(','), largest };
    if (from === 'sides') return { from, width: first, height: second, largest };
  }
  throw new Error('--quantity: Enter one, result, field:NAME, text:NAME, size:NAME, media:NAME or sides:WIDTH,HEIGHT.');
}

const withLargest = (quantity: PriceQuantity, largest: string | undefined): PriceQuantity =>
  largest === undefined || quantity.from === 'one' ? quantity : { ...quantity, largest: Number(largest) };

function describeQuantity(quantity: PriceQuantity): string {
  const { from, ...rest } = quantity;
  const names = Object.entries(rest).flatMap(([key, value]) => (key === 'largest' ? [] : [value].flat()));
  const fields = names.map((name) => (typeof name === 'string' ? name : JSON.stringify(name)));
  return fields.length === 0 ? from : `${from}:${fields.join(',')}`;
}

/** One line, such as `$0.05 per 1000 characters of text:prompt`. */
export function describePrice(price: AddedPrice): string {
  const { unit, per, unit_price_micro_usd, quantity, outputs, minimum_micro_usd, cap_micro_usd, tiers } = price;
  const money = (micro: number) => formatMoney(BigInt(micro));
  const noun = per === 1 ? unit.replace('_', ' ') : `${per.toLocaleString('en-US')} × ${unit.replace('_', ' ')}`;
  return [
    `${money(unit_price_micro_usd)} per ${noun} of ${describeQuantity(quantity)}`,
    ...('field' in outputs ? [`times ${outputs.field}`] : []),
    ...(minimum_micro_usd > 0 ? [`at least ${money(minimum_micro_usd)}`] : []),
    ...(cap_micro_usd === null ? [] : [`at most ${money(cap_micro_usd)}`]),
    ...(tiers.length > 0 ? [`${tiers.length} tiers`] : []),
  ].join(', ');
}
