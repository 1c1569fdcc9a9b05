import { memo } from 'react';
import { badgeClass } from '#web/ui/badge.tsx';
import { cx } from '#web/ui/cx.ts';
import { alignMoney } from '#web/api/money.tsx';
import { tooltipProps } from '#web/ui/tooltip-props.ts';
import { type LedgerRow, describeRow, entryIdOf } from './describe-row.ts';
import { formatUtcMinute } from './format-utc-minute.ts';

/** Three lines in a narrow container, columns in a wide one. Rows have the same height in both. */
export const ledgerGrid = cx(
  "grid items-center gap-x-3 px-1 @md:px-3 [grid-template-areas:'what_what_amount'_'kind_time_after'] grid-cols-[auto_minmax(0,1fr)_auto]",
  "@4xl:[grid-template-areas:'kind_what_time_amount_after'] @4xl:grid-cols-[6.5rem_minmax(0,1fr)_7.5rem_8rem_8.5rem] @4xl:gap-x-5",
  "@5xl:[grid-template-areas:'kind_what_who_time_amount_after'] @5xl:grid-cols-[6.5rem_minmax(0,1fr)_9rem_7.5rem_8rem_8.5rem]",
);

/** @param panelHref address of a row's details, without the id of the entry */
export function ledgerRowProps(row: LedgerRow, panelHref: string, openRowId: string | undefined) {
  const isOpen = row.id === openRowId;
  return {
    'data-href': panelHref + entryIdOf(row),
    'data-row-id': row.id,
    className: cx(
      ledgerGrid,
      'cursor-pointer border-b border-line',
      isOpen ? 'bg-press shadow-[inset_2px_0_0_var(--amber)]' : 'hover:bg-hover',
    ),
  };
}

interface LedgerRowCellsProps {
  row: LedgerRow;
  href: string;
  isOpen: boolean;
  isTabStop: boolean;
  onFocus: (id: string) => void;
}

/** The cells of one row. Few elements and plain links keep scrolling smooth with 100,000 rows. */
export const LedgerRowCells = memo(function LedgerRowCells({
  row,
  href,
  isOpen,
  isTabStop,
  onFocus,
}: LedgerRowCellsProps) {
  const { kind, title, detail, number, who, tags, after_usd } = describeRow(row);
  const work = [who, tags].filter(Boolean).join(' · ');
  return (
    <>
      <td
        {...tooltipProps(kind.sentence)}
        className={cx(badgeClass(kind.tone), 'justify-self-start self-start [grid-area:kind] @4xl:self-center')}
      >
        {kind.label}
      </td>
      {/* One block of two lines: truncating each line by itself slows scrolling. */}
      <td className="min-w-0 self-end truncate pb-0.5 leading-[1.2] [grid-area:what] @4xl:self-center @4xl:pb-0">
        <a
          href={href}
          data-row=""
          tabIndex={isTabStop ? 0 : -1}
          aria-current={isOpen ? 'true' : undefined}
          onFocus={() => onFocus(row.id)}
        >
          {title}
        </a>
        <br />
        <span className="text-xs text-ink-3">
          {[after_usd === null ? '' : number, detail].filter(Boolean).join(' · ')}
          <span className="@5xl:hidden">{after_usd === null && !detail ? work : work && ` · ${work}`}</span>
        </span>
      </td>
      <td className="hidden min-w-0 truncate leading-[1.2] [grid-area:who] @5xl:block">
        {who}
        <br />
        <span className="text-xs text-ink-3">{tags}</span>
      </td>
      <td
        data-tooltip={row.created_at}
        className="self-start pt-0.5 text-xs whitespace-nowrap text-ink-3 [grid-area:time] @4xl:self-center @4xl:pt-0 @4xl:text-right @4xl:text-sm"
      >
        {formatUtcMinute(row.created_at)}
      </td>
      <td
        className={cx(
          'self-start pt-1.5 text-right font-medium whitespace-nowrap [grid-area:amount] @4xl:self-center @4xl:pt-0',
          kind.tone === 'good' && row.amount_usd !== '0.00' && 'text-good',
        )}
      >
        {alignMoney(row.amount_usd, { signed: true })}
      </td>
      <td className="self-start justify-self-end pt-0.5 text-xs whitespace-nowrap text-ink-3 [grid-area:after] @4xl:self-center @4xl:pt-0 @4xl:text-sm">
        {after_usd === null ? number : alignMoney(after_usd)}
      </td>
    </>
  );
});
