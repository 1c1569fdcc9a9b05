import { formatUsd, parseUsd } from '#contract/money.ts';
import type { BillingSummary } from '#contract/resources/billing.ts';
import { formatMoney } from '#web/ui/money.tsx';

export function missingFundsMessage(
  price_usd: string | undefined,
  funds: Pick<BillingSummary, 'available_usd' | 'reserved_usd'> | undefined,
): string {
  if (!price_usd) return 'Not enough funds for this.';
  const price = `This costs ${formatMoney(price_usd, { cents: 'up' })}`;
  if (!funds) return `${price}, which is more than the available funds.`;
  const missing = parseUsd(price_usd) - parseUsd(funds.available_usd);
  const available = `${price}; ${formatMoney(funds.available_usd, { cents: 'down' })} is available`;
  const reserved =
    Number(funds.reserved_usd) > 0
      ? `, ${formatMoney(funds.reserved_usd, { cents: 'up' })} more is reserved for unfinished work`
      : '';
  return missing > 0n
    ? `${available}${reserved}. You need ${formatMoney(formatUsd(missing), { cents: 'up' })} more.`
    : `${available}${reserved}.`;
}
