import { MAX_BILL_LINE_NANO, NANO_PER_USD } from '#contract/money/money.ts';

export type DecimalMark = '.' | ',';

export interface ParsedAmount {
  nano: bigint;
  /** null: the cell has none. */
  currency: string | null;
}

const SYMBOLS: Readonly<Record<string, string>> = { $: 'USD', US$: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY' };
const LEADING = /^(US\$|[$€£¥]|[A-Z]{3})/;
const TRAILING = /(US\$|[$€£¥]|[A-Z]{3})$/;
const NUMBERS: Readonly<Record<DecimalMark, RegExp>> = {
  '.': /^(\d{1,3}(?:,\d{3}){1,5}|\d{0,15})(?:\.(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/,
  ',': /^(\d{1,3}(?:\.\d{3}){1,5}|\d{0,15})(?:,(\d{1,30}))?(?:[eE]([+-]?\d{1,2}))?$/,
};
const MAX_CHARACTERS = 60;

/**
 * Parses an amount or a quantity as consoles write them: with a sign before or after, in brackets, with a currency, with
 * thousands grouped, or with an exponent.
 * @returns null for anything else, and above a billion
 */
export function parseAmount(cell: string, decimal: DecimalMark): ParsedAmount | null {
  if (cell.length > MAX_CHARACTERS) return null;
  let text = cell
    .replaceAll('−', '-')
    .replaceAll(/(?<=\d)[ \u00a0\u202f'’](?=\d{3}(?!\d))/g, '')
    .trim();
  let isNegative = false;
  const bracketed = /^\((.{1,60})\)$/.exec(text);
  if (bracketed) [isNegative, text] = [true, bracketed[1] ?? ''];
  const takeSign = () => {
    const sign = /^[+-]/.exec(text)?.[0];
    if (sign === undefined || isNegative) return;
    isNegative = sign === '-';
    text = text.slice(1).trim();
  };
  takeSign();
  const named = (LEADING.exec(text) ?? TRAILING.exec(text))?.[0];
  if (named !== undefined) {
    text = (text.startsWith(named) ? text.slice(named.length) : text.slice(0, -named.length)).trim();
    takeSign();
  } else if (!isNegative && text.endsWith('-')) [isNegative, text] = [true, text.slice(0, -1)];
  const [, whole = '', fraction = '', exponent = '0'] = NUMBERS[decimal].exec(text) ?? [];
  if (whole === '' && fraction === '') return null;
  const size = scale(BigInt(whole.replaceAll(/[.,]/g, '') + fraction), Number(exponent) - fraction.length + 9);
  if (size > MAX_BILL_LINE_NANO) return null;
  return { nano: isNegative ? -size : size, currency: named === undefined ? null : (SYMBOLS[named] ?? named) };
}

/** Rounds half up. */
function scale(value: bigint, power: number): bigint {
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (value + divisor / 2n) / divisor;
}

/** Rounds half away from zero. @param rateNano dollars for one unit of the currency */
export function toUsd(nano: bigint, rateNano: bigint): bigint {
  const size = ((nano < 0n ? -nano : nano) * rateNano + NANO_PER_USD / 2n) / NANO_PER_USD;
  return nano < 0n ? -size : size;
}

/** The mark by which most amounts can be read. Where both fit, files with semicolons have commas. */
export function guessDecimal(cells: readonly string[], delimiter: string): DecimalMark {
  const votes = { '.': 0, ',': 0 };
  for (const cell of cells) {
    const [point, comma] = [parseAmount(cell, '.'), parseAmount(cell, ',')];
    if (point && !comma) votes['.'] += 1;
    if (comma && !point) votes[','] += 1;
  }
  if (votes['.'] === votes[',']) return delimiter === ';' && cells.some((cell) => cell.includes(',')) ? ',' : '.';
  return votes[','] > votes['.'] ? ',' : '.';
}
