import { formatUsd, parseUsd } from '#contract/money.ts';
import type { UpstreamJob } from '#contract/resources/review.ts';
import { formatMoney } from '#web/ui/money.tsx';

type ProviderMoney = Pick<UpstreamJob, 'cost_usd' | 'amount_usd' | 'billing_status'>;

const formatMicroUsd = (micro_usd: bigint) => formatMoney(formatUsd(micro_usd));

export function formatProviderCost({ cost_usd, amount_usd, billing_status }: ProviderMoney): string {
  if (cost_usd === null) return 'The provider has not reported a cost.';
  const cost = formatMoney(cost_usd);
  if (billing_status === 'reserved') return `Reserved ${formatMoney(amount_usd)}, provider cost ${cost}.`;
  if (billing_status !== 'settled')
    return parseUsd(cost_usd) === 0n
      ? 'Nothing was charged, and the provider cost nothing.'
      : `Nothing was charged, provider cost ${cost}: loss ${cost}.`;
  const difference = parseUsd(amount_usd) - parseUsd(cost_usd);
  const both = `Charged ${formatMoney(amount_usd)}, provider cost ${cost}`;
  if (difference === 0n) return `${both}: no margin.`;
  return difference > 0n
    ? `${both}: margin ${formatMicroUsd(difference)}.`
    : `${both}: loss ${formatMicroUsd(-difference)}.`;
}
