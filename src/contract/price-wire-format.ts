import { formatDecimal, formatUsd, parseUsd } from './money.ts';
import type { Multipliers, PriceBook } from './pricing.ts';
import type { Pricing } from './resources/catalog.ts';

type PriceRows = Pricing['data'];
type WireMultipliers = NonNullable<PriceRows[number]['multipliers']>;

const mapOptions = <From, To>(
  fields: Readonly<Record<string, Readonly<Record<string, From>>>>,
  convert: (value: From) => To,
): Record<string, Record<string, To>> =>
  Object.fromEntries(
    Object.entries(fields).map(([field, options]) => [
      field,
      Object.fromEntries(Object.entries(options).map(([option, value]) => [option, convert(value)])),
    ]),
  );

/** Parses multipliers from decimal strings with at most 6 decimals. @throws {RangeError} */
export const parseMultipliers = (multipliers: WireMultipliers): Multipliers => mapOptions(multipliers, parseUsd);

export const presentPrices = (prices: PriceBook): PriceRows =>
  prices.map(({ unit_price_micro_usd, minimum_micro_usd, note, multipliers, ...row }) => ({
    ...row,
    unit_price_usd: formatUsd(unit_price_micro_usd),
    minimum_usd: formatUsd(minimum_micro_usd),
    note,
    ...(multipliers ? { multipliers: mapOptions(multipliers, formatDecimal) } : {}),
  }));

/** Parses a published price book. @throws {RangeError} if an amount is not a number of dollars */
export const parsePrices = (rows: Readonly<PriceRows>): PriceBook =>
  rows.map(({ unit_price_usd, minimum_usd, multipliers, ...row }) => ({
    ...row,
    unit_price_micro_usd: parseUsd(unit_price_usd),
    minimum_micro_usd: parseUsd(minimum_usd),
    ...(multipliers ? { multipliers: parseMultipliers(multipliers) } : {}),
  }));
