import { useMemo } from 'react';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import { useRootFontSize } from '#web/ui/use-root-font-size.ts';
import { useWindowList } from '#web/ui/use-window-list.ts';
import { LedgerRow, ledgerGrid } from './ledger-row.tsx';
import { LedgerSkeleton } from './ledger-skeleton.tsx';
import { cx } from '#web/ui/cx.ts';

const ROW_REM = 4;

export interface LedgerTableProps {
  entries: readonly LedgerEntry[];
  hasMore: boolean;
  onNearEnd: () => void;
}

/** Entries with what was available after each, newest first. */
export function LedgerTable({ entries, hasMore, onNearEnd }: LedgerTableProps) {
  const rowHeight_px = ROW_REM * useRootFontSize();
  const keys = useMemo(() => entries.map(({ id }) => id), [entries]);
  const { ref, height_px, rows } = useWindowList({ keys, rowHeight_px, covered_px: 0, reveal: null, onNearEnd });
  return (
    <>
      <div
        aria-hidden="true"
        className={cx(ledgerGrid, 'hidden h-9 border-b border-line text-xs font-medium text-ink-3 md:grid')}
      >
        <span className="[grid-area:kind]">Kind</span>
        <span className="[grid-area:what]">What for</span>
        <span className="text-right [grid-area:time]">When</span>
        <span className="text-right [grid-area:amount]">Amount</span>
        <span className="text-right [grid-area:after]">Available after</span>
      </div>
      <ul ref={ref} aria-label="Entries" className="relative" style={{ height: height_px }}>
        {rows.map(({ index, key, top_px }) => {
          const entry = entries[index];
          return entry ? (
            <li
              key={key}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : entries.length}
              className="absolute inset-x-0"
              style={{ height: rowHeight_px, top: top_px }}
            >
              <LedgerRow entry={entry} />
            </li>
          ) : null;
        })}
      </ul>
      {hasMore ? <LedgerSkeleton rows={3} /> : null}
    </>
  );
}
