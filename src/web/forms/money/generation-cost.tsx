import { formatMoney } from '#contract/money/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { netCost } from './net-cost.ts';
import { cx } from '#web/ui/cx.ts';
import { tooltipProps } from '#web/ui/overlays/tooltip-props.ts';
import { BILLING_STATUS_LABELS } from './billing-status-labels.ts';

type Usage = Generation['usage'];

const isZero = (amountUsd: string) => !/[1-9]/.test(amountUsd);

const costLabels = {
  reserved: ({ amount_usd }) => formatMoney(amount_usd),
  settled: (usage) => (isZero(usage.amount_usd) ? 'Free' : formatMoney(netCost(usage))),
  released: () => '–',
  refunded: () => 'Refunded',
} satisfies Record<Usage['billing_status'], (usage: Usage) => string>;

function describeCost({ amount_usd, billing_status, refunded_usd = '0.00' }: Usage): string {
  const { label, sentence } = BILLING_STATUS_LABELS[billing_status];
  if (billing_status === 'settled' && !isZero(refunded_usd))
    return `${formatMoney(amount_usd)} charged, ${formatMoney(refunded_usd)} refunded.`;
  return `${label}${isZero(amount_usd) ? '' : ` ${formatMoney(amount_usd)}`}. ${sentence}`;
}

export function GenerationCost({ usage, className }: { usage: Usage; className?: string }) {
  const { billing_status } = usage;
  return (
    <span
      {...tooltipProps(describeCost(usage))}
      className={cx(
        'whitespace-nowrap tabular-nums',
        billing_status === 'settled' ? 'text-ink' : 'text-ink-3',
        className,
      )}
    >
      {costLabels[billing_status](usage)}
    </span>
  );
}
