import { formatMoney, parseUsd } from '#contract/money/money.ts';
import type { UpstreamJob } from '#contract/resources/review.ts';
import { COST_BASIS_LABELS } from './cost-basis-labels.ts';

type ProviderMoney = Pick<UpstreamJob, 'cost_usd' | 'cost_basis' | 'amount_usd' | 'billing_status'>;

/** Compares charge and cost, and says how the cost is known. @param refunded_usd refunded part of the charge */
export function formatProviderCost(money: ProviderMoney, refunded_usd = '0.00'): string {
  const { cost_usd, cost_basis } = money;
  if (cost_basis === 'unreadable') return COST_BASIS_LABELS.unreadable.sentence;
  if (cost_usd === null) return 'The provider has not reported a cost.';
  // Nothing to compare: "margin $0.03" would claim that running one's own server costs nothing.
  if (cost_basis === 'list' && parseUsd(cost_usd) === 0n)
    return 'This provider has no price per result, so no cost is counted.';
  const comparison = compareWithCharge({ ...money, cost_usd }, refunded_usd);
  return cost_basis === null ? comparison : `${comparison} ${COST_BASIS_LABELS[cost_basis].sentence}`;
}

function compareWithCharge(
  { cost_usd, amount_usd, billing_status }: ProviderMoney & { cost_usd: string },
  refundedUsd: string,
): string {
  const cost = formatMoney(cost_usd);
  if (billing_status === 'reserved') return `Reserved ${formatMoney(amount_usd)}, provider cost ${cost}.`;
  if (billing_status !== 'settled')
    return parseUsd(cost_usd) === 0n
      ? 'Nothing was charged, and the provider cost nothing.'
      : `Nothing was charged, provider cost ${cost}: loss ${cost}.`;
  const refunded = parseUsd(refundedUsd);
  const difference = parseUsd(amount_usd) - refunded - parseUsd(cost_usd);
  const less = refunded === 0n ? '' : ` and refunded ${formatMoney(refunded)}`;
  const both = `Charged ${formatMoney(amount_usd)}${less}, provider cost ${cost}`;
  if (difference === 0n) return `${both}: no margin.`;
  return difference > 0n ? `${both}: margin ${formatMoney(difference)}.` : `${both}: loss ${formatMoney(-difference)}.`;
}
