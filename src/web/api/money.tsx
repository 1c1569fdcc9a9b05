import { formatMoney, type MoneyFormat } from '#contract/money/money.ts';
import { cx } from '#web/ui/cx.ts';

const MAX_DECIMALS = 6;
/** A space as wide as a tabular figure. */
const FIGURE_SPACE = '\u2007';

/** Figure spaces replace missing decimals, so that the points of a column line up. */
export function alignMoney(amount: bigint | string, format?: MoneyFormat): string {
  const text = formatMoney(amount, format);
  return text + FIGURE_SPACE.repeat(Math.max(0, MAX_DECIMALS - (text.length - text.lastIndexOf('.') - 1)));
}

/** Shows an amount in dollars of the API. */
export function Money({
  amount_usd,
  signed,
  className,
}: MoneyFormat & { amount_usd: string; className?: string | undefined }) {
  return <span className={cx('whitespace-nowrap tabular-nums', className)}>{formatMoney(amount_usd, { signed })}</span>;
}
