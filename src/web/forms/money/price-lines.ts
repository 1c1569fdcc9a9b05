import type { Estimate, PricedLineItem } from '#contract/money/estimate.ts';
import { formatMoney, formatUsd, MICRO_PER_USD as MILLION, parseUsd } from '#contract/money/money.ts';
import type { PriceUnit } from '#contract/money/pricing.ts';
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

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

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

/** Splits the unit price into the price of the list and its multipliers, if they make exactly this price. */
function formatUnitPrice(description: string, unitMicroUsd: bigint): string {
  const factors = description.split(' · ').flatMap((part) => / × (\d{1,9}(?:\.\d{1,6})?)$/.exec(part)?.[1] ?? []);
  const scaled = unitMicroUsd * MILLION ** BigInt(factors.length);
  const product = factors.reduce((all, factor) => all * parseUsd(factor), 1n);
  if (product === 0n || scaled % product !== 0n) return formatMoney(unitMicroUsd);
  return [formatMoney(scaled / product), ...factors].join(' × ');
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

/** "8 seconds × $0.0575", which is the amount, or says that it is rounded; empty for a minimum charge. */
export function priceFormula({ description, quantity, unit, unit_price_usd, amount_usd }: PricedLineItem): string {
  if (description === MINIMUM_CHARGE) return '';
  const [one, many] = UNIT_NOUNS[unit] ?? [unit, unit];
  if (description.endsWith(UNKNOWN_LENGTH)) return `at least, at ${formatMoney(unit_price_usd)} per ${one}`;
  const unitMicroUsd = parseUsd(unit_price_usd);
  const price = formatUnitPrice(description, unitMicroUsd);
  const [, per = '', counted] = MANY.exec(unit) ?? [];
  const perCount = BigInt(per.replaceAll(',', '') || 1);
  const millionths = parseUsd(quantity);
  const count = (millionths * perCount + MILLION / 2n) / MILLION;
  const [product, amount] = [millionths * unitMicroUsd, parseUsd(amount_usd) * MILLION];
  const countProduct = count * unitMicroUsd * MILLION;
  const rounded = (isExact: boolean) => (isExact ? '' : ', rounded');
  if (!counted) return `${quantity} ${quantity === '1' ? one : many} × ${price}${rounded(product === amount)}`;
  // The quantity of many units is a rounded one: the count may give another amount.
  return 2n * absolute(countProduct - amount * perCount) <= perCount * MILLION
    ? `${formatNumber(Number(count))} ${counted} × ${price} per ${per}${rounded(countProduct === amount * perCount)}`
    : `${quantity} × ${unit} × ${price}${rounded(product === amount)}`;
}

/** Joins a unit price and the minimum above it where the minimum is the price of the one unit that a request has. */
export function mergeMinimum(lineItems: readonly PricedLineItem[]): readonly PricedLineItem[] {
  const [line, minimum, ...rest] = lineItems;
  if (!line || minimum?.description !== MINIMUM_CHARGE || rest.length > 0) return lineItems;
  if (!isPricedByMinimum({ unit: line.unit, multipliers: line.description.includes(' × ') || undefined }))
    return lineItems;
  const amount = parseUsd(line.amount_usd) + parseUsd(minimum.amount_usd);
  const [scaled, millionths] = [amount * MILLION, parseUsd(line.quantity)];
  if (millionths === 0n || scaled % millionths !== 0n) return lineItems;
  return [{ ...line, unit_price_usd: formatUsd(scaled / millionths), amount_usd: formatUsd(amount) }];
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
