import { cx } from '#web/ui/cx.ts';
import { groupDigits } from '#web/ui/formats.ts';

/** "0.345" → "$0.345", "-8.00" → "−$8.00", "1234.5" → "$1,234.50". Digits of the wire are kept, never rounded. */
export function formatMoney(amount_usd: string, { signed = false }: { signed?: boolean } = {}): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount_usd);
  if (!match) return amount_usd;
  const [, minus, whole = '0', fraction = ''] = match;
  const sign = minus ? '−' : signed && /[1-9]/.test(amount_usd) ? '+' : '';
  return `${sign}$${groupDigits(whole)}.${fraction.padEnd(2, '0')}`;
}

/** An amount in dollars as it comes from the service; figures of equal width, so that columns line up when right-aligned. */
export function Money({ amount_usd, signed, className }: { amount_usd: string; signed?: boolean; className?: string }) {
  return <span className={cx('whitespace-nowrap tabular-nums', className)}>{formatMoney(amount_usd, { signed })}</span>;
}
