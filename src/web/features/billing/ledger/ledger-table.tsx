import type { LedgerEntry } from '#contract/resources/billing.ts';
import { cx } from '#web/ui/cx.ts';
import { RowList } from '#web/ui/row-list.tsx';
import { LedgerRow, ledgerGrid, ledgerRowProps } from './ledger-row.tsx';
import { LedgerSkeleton } from './ledger-skeleton.tsx';

const ROW_REM = 4;

const renderRow = (entry: LedgerEntry) => <LedgerRow entry={entry} />;

export interface LedgerTableProps {
  entries: readonly LedgerEntry[];
  hasMore: boolean;
  onNearEnd: () => void;
}

/** Entries with what was available after each, newest first. */
export function LedgerTable({ entries, hasMore, onNearEnd }: LedgerTableProps) {
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
      <RowList
        label="Entries"
        items={entries}
        row_rem={ROW_REM}
        hasMore={hasMore}
        more={<LedgerSkeleton rows={3} />}
        onNearEnd={onNearEnd}
        className="tabular-nums"
        propsOf={ledgerRowProps}
      >
        {renderRow}
      </RowList>
    </>
  );
}
