import { formatUsd, parseUsd } from '#contract/money.ts';
import type { BillingSummary } from '#contract/resources/billing.ts';
import { formatMoney } from '#web/ui/money.tsx';

/** What is missing for an order, as far as price and funds are known. */
export function missingFundsMessage(
  price_usd: string | undefined,
  funds: Pick<BillingSummary, 'available_usd' | 'reserved_usd'> | undefined,
): string {
  if (!price_usd) return 'There is not enough money left for this.';
  const price = `This costs ${formatMoney(price_usd, { cents: 'up' })}`;
  if (!funds) return `${price}, and there is not enough left for it.`;
  const missing = parseUsd(price_usd) - parseUsd(funds.available_usd);
  const there = `${price}; ${formatMoney(funds.available_usd, { cents: 'down' })} is available`;
  const waiting =
    Number(funds.reserved_usd) > 0
      ? `, ${formatMoney(funds.reserved_usd, { cents: 'up' })} more is reserved for unfinished work`
      : '';
  return missing > 0n
    ? `${there}${waiting}. You need ${formatMoney(formatUsd(missing), { cents: 'up' })} more.`
    : `${there}${waiting}.`;
}
