import { cx } from './cx.ts';
import { groupDigits } from './formats.ts';

/**
 * `up` for prices, so that nobody pays more than shown; `down` for funds, so that all can be spent; `nearest` for sums.
 */
export type CentRounding = 'up' | 'down' | 'nearest';

interface MoneyFormat {
  signed?: boolean | undefined;
  /** Keeps every digit where it is left out. */
  cents?: CentRounding | undefined;
}

const AMOUNT = /^(-?)(\d+)(?:\.(\d{1,6}))?$/;
const MAX_DECIMALS = 6;
const MICRO_PER_CENT = 10_000n;
/** A space as wide as a tabular figure. */
const FIGURE_SPACE = '\u2007';

/** Formats dollars of the API: "0.345" → "$0.345", "-8.00" → "−$8.00", "1234.5" → "$1,234.50". */
export function formatMoney(amount_usd: string, { signed = false, cents }: MoneyFormat = {}): string {
  const match = AMOUNT.exec(amount_usd);
  if (!match) return amount_usd;
  const [, minus = '', whole = '0', fraction = ''] = match;
  if (cents !== undefined)
    return formatCents(BigInt(`${minus}${whole}${fraction.padEnd(MAX_DECIMALS, '0')}`), cents, signed);
  return `${signOf(minus !== '', signed && /[1-9]/.test(amount_usd))}$${groupDigits(whole)}.${fraction.padEnd(2, '0')}`;
}

const signOf = (isNegative: boolean, plus: boolean) => (isNegative ? '−' : plus ? '+' : '');

function formatCents(micro_usd: bigint, rounding: CentRounding, signed: boolean): string {
  const over = ((micro_usd % MICRO_PER_CENT) + MICRO_PER_CENT) % MICRO_PER_CENT;
  const goesUp = rounding === 'up' ? over > 0n : rounding === 'nearest' && over * 2n >= MICRO_PER_CENT;
  const rounded = (micro_usd - over) / MICRO_PER_CENT + (goesUp ? 1n : 0n);
  const isBelowOneCent = rounding === 'nearest' && rounded === 0n && micro_usd !== 0n;
  const size = isBelowOneCent ? 1n : rounded < 0n ? -rounded : rounded;
  const sign = signOf(isBelowOneCent ? micro_usd < 0n : rounded < 0n, signed && micro_usd > 0n);
  const digits = `${groupDigits(String(size / 100n))}.${String(size % 100n).padStart(2, '0')}`;
  return `${isBelowOneCent ? '<' : ''}${sign}$${digits}`;
}

/** Figure spaces replace missing decimals, so that the points of a column line up. */
export function alignMoney(amount_usd: string, format: Pick<MoneyFormat, 'signed'> = {}): string {
  const text = formatMoney(amount_usd, format);
  return text + FIGURE_SPACE.repeat(Math.max(0, MAX_DECIMALS - (text.length - text.lastIndexOf('.') - 1)));
}

/** Shows an amount in dollars of the API. Where cents drop digits, the tooltip has all of them. */
export function Money({
  amount_usd,
  signed,
  cents,
  className,
}: MoneyFormat & { amount_usd: string; className?: string }) {
  const exact = formatMoney(amount_usd, { signed });
  const text = formatMoney(amount_usd, { signed, cents });
  return (
    <span data-tooltip={text === exact ? undefined : exact} className={cx('whitespace-nowrap tabular-nums', className)}>
      {text}
    </span>
  );
}
