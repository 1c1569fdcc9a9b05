import { formatMoney, parseUsd } from '#contract/money/money.ts';
import type { BillingSummary } from '#contract/resources/billing.ts';

export function missingFundsMessage(
  priceUsd: string | undefined,
  funds: Pick<BillingSummary, 'available_usd' | 'reserved_usd'> | undefined,
): string {
  if (!priceUsd) return 'Not enough funds for this.';
  const price = `This costs ${formatMoney(priceUsd)}`;
  if (!funds) return `${price}, which is more than the available funds.`;
  const missing = parseUsd(priceUsd) - parseUsd(funds.available_usd);
  const available = `${price}; ${formatMoney(funds.available_usd)} is available`;
  const reserved =
    Number(funds.reserved_usd) > 0 ? `, ${formatMoney(funds.reserved_usd)} more is reserved for unfinished work` : '';
  return missing > 0n ? `${available}${reserved}. You need ${formatMoney(missing)} more.` : `${available}${reserved}.`;
}
