import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import { Badge } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { Money } from '#web/ui/money.tsx';
import { RelativeTime } from '#web/ui/relative-time.tsx';
import { tooltip } from '#web/ui/tooltip.tsx';
import { ENTRY_WORDS } from './entry-words.ts';

export const ledgerGrid = cx(
  "grid items-center gap-x-3 px-3 [grid-template-areas:'what_what_amount'_'kind_time_after'] grid-cols-[auto_minmax(0,1fr)_auto]",
  "md:[grid-template-areas:'kind_what_time_amount_after'] md:grid-cols-[6.5rem_minmax(0,1fr)_7rem_7rem_8rem] md:gap-x-5",
);

/** One movement of money. */
export const LedgerRow = memo(function LedgerRow({ entry }: { entry: LedgerEntry }) {
  const {
    type,
    amount_usd,
    available_after_usd,
    balance_after_usd,
    generation_id,
    workflow_run_id,
    description,
    key,
    created_by,
    created_at,
  } = entry;
  const { label, sentence, tone } = ENTRY_WORDS[type];
  const after = `Balance after: $${balance_after_usd}`;
  return (
    <div className={cx(ledgerGrid, 'relative h-full border-b border-line', generation_id && 'hover:bg-hover')}>
      <div className="self-start [grid-area:kind] md:self-center">
        <span {...tooltip(sentence)} className="relative z-1 inline-flex">
          <Badge tone={tone}>{label}</Badge>
        </span>
      </div>
      <div className="min-w-0 self-end pb-1 [grid-area:what] md:self-center md:pb-0">
        <span className="block truncate">
          {generation_id ? (
            <Link
              to="/generations/$id"
              params={{ id: generation_id }}
              className="outline-none after:absolute after:inset-0 after:-outline-offset-2 focus-visible:after:outline-2 focus-visible:after:outline-focus"
            >
              {description}
            </Link>
          ) : (
            description
          )}
        </span>
        <span className="block truncate text-xs text-ink-3 max-md:hidden">
          {(key ?? created_by)?.name}
          {key && created_by && created_by.id !== key.id ? `, by ${created_by.name}` : null}
          {workflow_run_id ? (
            <>
              {' · '}
              <Link
                to="/billing"
                search={{ part: 'ledger', run: workflow_run_id }}
                className="relative z-1 underline underline-offset-2"
              >
                Part of a run
              </Link>
            </>
          ) : null}
        </span>
      </div>
      <div className="relative z-1 self-start truncate pt-0.5 text-sm text-ink-3 [grid-area:time] md:self-center md:pt-0 md:text-right">
        <RelativeTime at={created_at} />
      </div>
      <div className="self-end pb-1 text-right [grid-area:amount] md:self-center md:pb-0">
        <Money signed amount_usd={amount_usd} className={cx('font-medium', tone === 'good' && 'text-good')} />
      </div>
      <div className="relative z-1 self-start pt-0.5 text-right text-sm text-ink-3 [grid-area:after] md:self-center md:pt-0">
        <span {...tooltip(after)}>
          <span className="sr-only">Available after: </span>
          <Money amount_usd={available_after_usd} />
        </span>
      </div>
    </div>
  );
});
