import { memo } from 'react';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import { badgeClass } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { alignMoney, formatMoney } from '#web/ui/money.tsx';
import { tooltipProps } from '#web/ui/tooltip-props.ts';
import { LEDGER_TYPE_LABELS } from './ledger-type-labels.ts';
import { formatUtcMinute } from './format-utc-minute.ts';

/** Three lines in a narrow container, columns in a wide one. Rows have the same height in both. */
export const ledgerGrid = cx(
  "grid items-center gap-x-3 px-1 @md:px-3 [grid-template-areas:'what_what_amount'_'kind_time_after'] grid-cols-[auto_minmax(0,1fr)_auto]",
  "@4xl:[grid-template-areas:'kind_what_time_amount_after'] @4xl:grid-cols-[6.5rem_minmax(0,1fr)_7.5rem_8rem_8.5rem] @4xl:gap-x-5",
);

const generationHref = ({ generation_id }: LedgerEntry) =>
  generation_id ? `/generations/${generation_id}` : undefined;

export function ledgerEntryRowProps(entry: LedgerEntry) {
  const href = generationHref(entry);
  return {
    'data-href': href,
    'data-row-id': entry.id,
    className: cx(ledgerGrid, 'border-b border-line', href && 'hover:bg-hover'),
  };
}

interface LedgerEntryRowProps {
  entry: LedgerEntry;
  isTabStop: boolean;
  onFocus: (id: string) => void;
}

/** One ledger entry. Few elements and plain links keep scrolling smooth with 100,000 rows. */
export const LedgerEntryRow = memo(function LedgerEntryRow({ entry, isTabStop, onFocus }: LedgerEntryRowProps) {
  const { type, amount_usd, available_after_usd, balance_after_usd, workflow_run_id, description } = entry;
  const { label, sentence, tone } = LEDGER_TYPE_LABELS[type];
  const href = generationHref(entry);
  const stop = { 'data-row': '', tabIndex: isTabStop ? 0 : -1, onFocus: () => onFocus(entry.id) };
  return (
    <>
      <td
        {...tooltipProps(sentence)}
        className={cx(badgeClass(tone), 'justify-self-start self-start [grid-area:kind] @4xl:self-center')}
      >
        {label}
      </td>
      {/* One block of two lines: truncating each line by itself slows scrolling. */}
      <td className="min-w-0 self-end truncate pb-0.5 leading-[1.2] [grid-area:what] @4xl:self-center @4xl:pb-0">
        {href ? (
          <a href={href} {...stop}>
            {description}
          </a>
        ) : (
          <span {...stop}>{description}</span>
        )}
        <br />
        <span className="text-xs text-ink-3">
          {[formatEntryNumber(entry), attributionLabel(entry)].filter(Boolean).join(' · ')}
          {workflow_run_id ? (
            <>
              {' · '}
              <a
                href={`/workflows/runs/${workflow_run_id}`}
                tabIndex={stop.tabIndex}
                className="underline underline-offset-2"
              >
                Workflow run
              </a>
            </>
          ) : null}
        </span>
      </td>
      <td
        data-tooltip={entry.created_at}
        className="self-start pt-0.5 text-xs whitespace-nowrap text-ink-3 [grid-area:time] @4xl:self-center @4xl:pt-0 @4xl:text-right @4xl:text-sm"
      >
        {formatUtcMinute(entry.created_at)}
      </td>
      <td
        className={cx(
          'self-start pt-1.5 text-right font-medium whitespace-nowrap [grid-area:amount] @4xl:self-center @4xl:pt-0',
          tone === 'good' && 'text-good',
        )}
      >
        {alignMoney(amount_usd, { signed: true })}
      </td>
      <td
        {...tooltipProps(`Balance after: ${formatMoney(balance_after_usd)}`)}
        className="self-start justify-self-end pt-0.5 text-xs whitespace-nowrap text-ink-3 [grid-area:after] @4xl:self-center @4xl:pt-0 @4xl:text-sm"
      >
        {alignMoney(available_after_usd)}
      </td>
    </>
  );
});

const formatEntryNumber = ({ seq }: LedgerEntry) => (seq === undefined ? '' : `#${seq}`);

/** The key that is charged, and the key that made the entry if it is another one. */
function attributionLabel({ key, created_by }: LedgerEntry): string {
  const author = key && created_by && created_by.id !== key.id ? `, by ${created_by.name}` : '';
  return `${(key ?? created_by)?.name ?? ''}${author}`;
}
