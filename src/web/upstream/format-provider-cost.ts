import { formatUsd, parseUsd } from '#contract/money.ts';
import type { UpstreamJob } from '#contract/resources/review.ts';
import { formatMoney } from '#web/ui/money.tsx';

type ProviderMoney = Pick<UpstreamJob, 'cost_usd' | 'amount_usd' | 'billing_status'>;

const formatMicroUsd = (micro_usd: bigint) => formatMoney(formatUsd(micro_usd));

/** Compares the charge with the provider's cost, in a sentence. */
export function formatProviderCost({ cost_usd, amount_usd, billing_status }: ProviderMoney): string {
  if (cost_usd === null) return 'The provider has not said what it charges for this.';
  const cost = formatMoney(cost_usd);
  if (billing_status === 'reserved')
    return `You have reserved ${formatMoney(amount_usd)}, the provider charges ${cost}.`;
  if (billing_status !== 'settled')
    return parseUsd(cost_usd) === 0n
      ? 'Nothing was charged, here or by the provider.'
      : `You charged nothing, the provider ${cost}: that is lost.`;
  const difference = parseUsd(amount_usd) - parseUsd(cost_usd);
  const both = `You charged ${formatMoney(amount_usd)}, the provider ${cost}`;
  if (difference === 0n) return `${both}: the same.`;
  return difference > 0n
    ? `${both}: ${formatMicroUsd(difference)} more than it cost.`
    : `${both}: ${formatMicroUsd(-difference)} too little.`;
}
