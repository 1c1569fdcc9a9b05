import type { Generation } from '#contract/resources/generation.ts';
import { BILLING_WORDS } from './status-words.ts';
import { cx } from '#web/ui/cx.ts';
import { formatMoney } from '#web/ui/money.tsx';
import { tooltip } from '#web/ui/tooltip.tsx';

const isZero = (amount_usd: string) => !/[1-9]/.test(amount_usd);

/** What a generation cost, or keeps reserved; where the money is stands in the tooltip. */
export function Cost({ usage, className }: { usage: Generation['usage']; className?: string }) {
  const { amount_usd, billing_status } = usage;
  const { label, sentence } = BILLING_WORDS[billing_status];
  const charged = billing_status === 'settled';
  const nothing = billing_status === 'released' || billing_status === 'refunded';
  const words = isZero(amount_usd) && charged ? 'Free' : nothing ? '–' : formatMoney(amount_usd);
  return (
    <span
      {...tooltip(`${label}. ${sentence}`)}
      className={cx('whitespace-nowrap tabular-nums', charged ? 'text-ink' : 'text-ink-3', className)}
    >
      {words}
    </span>
  );
}
