/** Amounts are integers in micro-dollars: 1 USD = 1,000,000. */
export const MICRO_PER_USD = 1_000_000n;
/** Bills of providers have amounts below a micro-dollar. */
export const NANO_PER_USD = 1_000_000_000n;
export const NANO_PER_MICRO = 1_000n;

/**
 * The most that one run is charged, or costs at its provider: $1,000,000. Sums of such amounts fit in 64 bits and in the
 * decimal dollars of the API.
 */
export const MAX_RUN_MICRO_USD = 1_000_000_000_000n;
/** The most that one line of a provider's bill may say: a billion of any currency. */
export const MAX_BILL_LINE_NANO = 1_000_000_000_000_000_000n;
/** A million million units. */
const MAX_MILLIONTHS = 1_000_000_000_000_000_000n;

/** The only way from a number to a whole amount; null for one that is negative, above `most` or not finite. */
function toWhole(value: number, most: bigint): bigint | null {
  if (!Number.isFinite(value) || value < 0) return null;
  const whole = BigInt(Math.round(value));
  return whole <= most ? whole : null;
}

/** Rounds micro-dollars of one run; null if no run costs that. */
export const toMicroUsd = (micro_usd: number): bigint | null => toWhole(micro_usd, MAX_RUN_MICRO_USD);

/** Converts dollars of one run to micro-dollars; null if no run costs that. */
export const dollarsToMicroUsd = (dollars: number): bigint | null => toMicroUsd(dollars * 1_000_000);

/** Converts a quantity to millionths; null if it is negative or too large to be one. */
export const toMillionths = (units: number): bigint | null => toWhole(units * 1_000_000, MAX_MILLIONTHS);

/** Rounds nano-dollars of a bill's line, which may be negative; null if no line says that. */
export function toNanoUsd(nano_usd: number): bigint | null {
  const size = toWhole(Math.abs(nano_usd), MAX_BILL_LINE_NANO);
  return size !== null && nano_usd < 0 ? -size : size;
}

/**
 * Formats decimal dollars for the API: 2 to 6 decimals, without trailing zeros beyond two.
 * Decision: Money
 */
export const formatUsd = (microUsd: bigint): string => formatNano(microUsd * NANO_PER_MICRO);

/** Formats an amount of a provider's bill: 2 to 9 decimals, without trailing zeros beyond two. */
export function formatNano(nano: bigint): string {
  const sign = nano < 0n ? '-' : '';
  const size = nano < 0n ? -nano : nano;
  const decimals = (size % NANO_PER_USD).toString().padStart(9, '0');
  const shown = decimals.slice(0, 2) + decimals.slice(2).replace(/0{1,7}$/, '');
  return `${sign}${size / NANO_PER_USD}.${shown}`;
}

export const USD_PATTERN = /^-?\d{1,12}(\.\d{1,6})?$/;
export const NANO_PATTERN = /^-?\d{1,12}(\.\d{1,9})?$/;

export interface MoneyFormat {
  /** Marks amounts above zero with "+". */
  signed?: boolean | undefined;
}

/**
 * Formats an amount for people, with all its digits: "$1,234.50", "−$0.345", "$0.004745".
 * @param amount micro-dollars, or decimal dollars of the API with at most 9 decimals
 */
export function formatMoney(amount: bigint | string, { signed = false }: MoneyFormat = {}): string {
  if (typeof amount === 'string' && !NANO_PATTERN.test(amount)) return amount;
  const nano = typeof amount === 'bigint' ? amount * NANO_PER_MICRO : parseNano(amount);
  const [whole = '', decimals = ''] = formatNano(nano < 0n ? -nano : nano).split('.');
  const sign = nano < 0n ? '−' : signed && nano > 0n ? '+' : '';
  return `${sign}$${whole.replaceAll(/\B(?=(?:\d{3}){1,7}$)/g, ',')}.${decimals}`;
}

const MICRO_PER_CENT = 10_000n;

/** "$99.01" of $99.013336: cut to the cent, so that no more is shown than there is. For balances at a glance. */
export function formatMoneyToCent(amountUsd: string): string {
  const microUsd = parseUsd(amountUsd);
  const rest = ((microUsd % MICRO_PER_CENT) + MICRO_PER_CENT) % MICRO_PER_CENT;
  return formatMoney(microUsd - rest);
}

/**
 * Parses decimal dollars with at most 6 decimals.
 * @throws {RangeError} if the text is not such a number
 */
export function parseUsd(text: string): bigint {
  if (!USD_PATTERN.test(text)) throw new RangeError(`Not an amount of dollars: ${text}`);
  return parseNano(text) / NANO_PER_MICRO;
}

/** @param text as in `NANO_PATTERN` */
export function parseNano(text: string): bigint {
  const [whole = '0', decimals = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole) * NANO_PER_USD + BigInt(decimals.padEnd(9, '0'));
  return text.startsWith('-') ? -size : size;
}

/** Formats millionths as a decimal without trailing zeros: `2`, `0.345`. */
export function formatDecimal(millionths: bigint): string {
  const decimals = (millionths % 1_000_000n)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,6}$/, '');
  return `${millionths / 1_000_000n}${decimals && `.${decimals}`}`;
}

/** Multiplies a price by a quantity in millionths, rounded half up. Decision: Prices */
export function multiplyPrice(unitMicroUsd: bigint, quantityMillionths: bigint): bigint {
  return (unitMicroUsd * quantityMillionths + 500_000n) / 1_000_000n;
}
