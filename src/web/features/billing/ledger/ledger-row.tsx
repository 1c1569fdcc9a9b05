import { memo } from 'react';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import { badgeStyle } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { formatMoney } from '#web/ui/money.tsx';
import { minuteWords } from '#web/ui/minute-words.ts';
import { tooltip } from '#web/ui/tooltip.tsx';
import { ENTRY_WORDS } from './entry-words.ts';

export const ledgerGrid = cx(
  "grid items-center gap-x-3 px-3 [grid-template-areas:'what_what_amount'_'kind_time_after'] grid-cols-[auto_minmax(0,1fr)_auto]",
  "md:[grid-template-areas:'kind_what_time_amount_after'] md:grid-cols-[6.5rem_minmax(0,1fr)_8rem_7rem_8rem] md:gap-x-5",
);

const hrefOf = ({ generation_id }: LedgerEntry) => (generation_id ? `/generations/${generation_id}` : undefined);

/** What the element of a row has of its own. */
export function ledgerRowProps(entry: LedgerEntry) {
  const href = hrefOf(entry);
  return { 'data-href': href, className: cx(ledgerGrid, 'border-b border-line', href && 'hover:bg-hover') };
}

/** One movement of money. Few parts and plain links: a hundred thousand of them fly by. */
export const LedgerRow = memo(function LedgerRow({ entry }: { entry: LedgerEntry }) {
  const { type, amount_usd, available_after_usd, balance_after_usd, workflow_run_id, description } = entry;
  const { label, sentence, tone } = ENTRY_WORDS[type];
  const href = hrefOf(entry);
  return (
    <>
      <span
        {...tooltip(sentence)}
        className={cx(badgeStyle(tone), 'justify-self-start self-start [grid-area:kind] md:self-center')}
      >
        {label}
      </span>
      {/* One block of two lines, since each that is cut off by itself costs every frame of a scroll. */}
      <p className="min-w-0 self-end truncate pb-1 [grid-area:what] md:self-center md:pb-0">
        {href ? <a href={href}>{description}</a> : description}
        <br className="max-md:hidden" />
        <span className="text-xs text-ink-3 max-md:hidden">
          {byWhom(entry)}
          {workflow_run_id ? (
            <>
              {' · '}
              <a href={`/workflows/runs/${workflow_run_id}`} className="underline underline-offset-2">
                Part of a run
              </a>
            </>
          ) : null}
        </span>
      </p>
      <time
        dateTime={entry.created_at}
        data-tooltip={entry.created_at}
        className="self-start pt-0.5 text-sm whitespace-nowrap text-ink-3 [grid-area:time] md:self-center md:pt-0 md:text-right"
      >
        {minuteWords(entry.created_at)}
      </time>
      <span
        className={cx(
          'self-end pb-1 text-right font-medium whitespace-nowrap [grid-area:amount] md:self-center md:pb-0',
          tone === 'good' && 'text-good',
        )}
      >
        {formatMoney(amount_usd, { signed: true })}
      </span>
      <span
        {...tooltip(`Balance after: ${formatMoney(balance_after_usd)}`)}
        className="self-start justify-self-end pt-0.5 text-sm whitespace-nowrap text-ink-3 [grid-area:after] md:self-center md:pt-0"
      >
        <span className="aloud">Available after: </span>
        {formatMoney(available_after_usd)}
      </span>
    </>
  );
});

/** Whose spending it is, and who moved the money where that is another. */
function byWhom({ key, created_by }: LedgerEntry): string {
  const mover = key && created_by && created_by.id !== key.id ? `, by ${created_by.name}` : '';
  return `${(key ?? created_by)?.name ?? ''}${mover}`;
}
