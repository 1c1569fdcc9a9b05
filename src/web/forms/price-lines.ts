import type { Estimate, PricedLineItem } from '#contract/estimate.ts';
import { formatMoney, formatUsd, parseUsd, toMicroUsd } from '#contract/money.ts';
import type { PriceUnit } from '#contract/pricing.ts';
import type { CatalogNames } from '#web/api/catalog-names.ts';
import { formatNumber } from '#web/ui/formats.ts';

export interface PriceLine {
  label: string;
  /** "8 seconds × $0.0575"; with multipliers "1 image × $0.015 × 13". */
  formula: string;
  amount_usd: string;
}

/** The service's description of the minimum charge. Decision: Line items */
export const MINIMUM_CHARGE = 'Minimum charge';
/** Suffix of a line whose duration is unknown: its quantity is covered by the minimum. */
const UNKNOWN_LENGTH = ' · minimum';

const UNIT_NOUNS: Readonly<Record<string, [one: string, many: string]>> = {
  image: ['image', 'images'],
  second: ['second', 'seconds'],
  minute: ['minute', 'minutes'],
  generation: ['video', 'videos'],
  operation: ['run', 'runs'],
  megapixel: ['megapixel', 'megapixels'],
  token: ['token', 'tokens'],
  run: ['run', 'runs'],
};

/** A unit of many: `1,000 characters`. */
const MANY = /^([\d,]+) (.+)$/;

/** A request has exactly one of these units, so a minimum above the unit price is the price. */
const SINGLE_UNITS: ReadonlySet<string> = new Set<PriceUnit>(['image', 'generation', 'operation']);

export const isPricedByMinimum = ({ unit, multipliers }: { unit: string; multipliers?: unknown }): boolean =>
  SINGLE_UNITS.has(unit) && !multipliers;

export const PER_UNIT_LABELS = {
  image: 'per image',
  second: 'per second',
  minute: 'per minute',
  generation: 'per video',
  operation: 'per run',
} satisfies Record<PriceUnit, string>;

function lineItemName(description: string, names: CatalogNames): string {
  const [id = '', ...multipliers] = description.split(' · ');
  return [names.find(id) ?? id, ...multipliers].join(' · ');
}

/** Splits the unit price into the price of the list and its multipliers, if the division is exact. */
function formatUnitPrice(description: string, unit_price_usd: string): string {
  const factors = description.split(' · ').flatMap((part) => / × ([\d.]+)$/.exec(part)?.[1] ?? []);
  const product = factors.reduce((all, factor) => all * Number(factor), 1);
  const unitMicroUsd = parseUsd(unit_price_usd);
  const baseMicroUsd = product > 0 ? Math.round(Number(unitMicroUsd) / product) : 0;
  const isEven = factors.length > 0 && toMicroUsd(baseMicroUsd * product) === unitMicroUsd;
  if (!isEven) return formatMoney(unit_price_usd);
  return [formatMoney(BigInt(baseMicroUsd)), ...factors].join(' × ');
}

/** "$0.345", "at most $2.55", "Free". */
export function priceLabel({ amount_usd, basis }: { amount_usd: string; basis: Estimate['basis'] }): string {
  const money = formatMoney(amount_usd);
  if (basis === 'upper_bound') return `at most ${money}`;
  if (basis === 'lower_bound') return `from ${money}`;
  return Number(amount_usd) === 0 ? 'Free' : money;
}

export const TOTAL_LABELS = {
  exact: 'Total',
  upper_bound: 'At most',
  lower_bound: 'At least',
} satisfies Record<Estimate['basis'], string>;

/** "8 seconds × $0.0575"; empty for a minimum charge. */
export function priceFormula({ description, quantity, unit, unit_price_usd }: PricedLineItem): string {
  if (description === MINIMUM_CHARGE) return '';
  const [one, many] = UNIT_NOUNS[unit] ?? [unit, unit];
  if (description.endsWith(UNKNOWN_LENGTH)) return `at least, at ${formatMoney(unit_price_usd)} per ${one}`;
  const price = formatUnitPrice(description, unit_price_usd);
  // A part of a minute says nothing to people.
  if (unit === 'minute' && !Number.isInteger(Number(quantity)))
    return `${formatNumber(Number(quantity) * 60)} seconds × ${price} per minute`;
  const [, per, counted] = MANY.exec(unit) ?? [];
  if (per && counted)
    return `${formatNumber(Math.round(Number(quantity) * Number(per.replaceAll(',', ''))))} ${counted} × ${price} per ${per}`;
  return `${quantity} ${quantity === '1' ? one : many} × ${price}`;
}

/** Joins a unit price and the minimum above it where the minimum is the price of the one unit that a request has. */
export function mergeMinimum(line_items: readonly PricedLineItem[]): readonly PricedLineItem[] {
  const [line, minimum, ...rest] = line_items;
  if (!line || minimum?.description !== MINIMUM_CHARGE || rest.length > 0) return line_items;
  if (!isPricedByMinimum({ unit: line.unit, multipliers: line.description.includes(' × ') || undefined }))
    return line_items;
  const amount_usd = formatUsd(parseUsd(line.amount_usd) + parseUsd(minimum.amount_usd));
  return [{ ...line, unit_price_usd: amount_usd, amount_usd }];
}

export const priceLines = (
  { line_items }: { line_items: readonly PricedLineItem[] },
  names: CatalogNames,
): PriceLine[] =>
  mergeMinimum(line_items).map((item) => ({
    label: lineItemName(item.description, names),
    formula: priceFormula(item),
    amount_usd: item.amount_usd,
  }));
