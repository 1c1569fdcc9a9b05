import { useRouter } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { LedgerEntry } from '#contract/resources/billing.ts';
import { cx } from '#web/ui/cx.ts';
import { RowList } from '#web/ui/row-list.tsx';
import { useListCursor, useListCommands } from '#web/ui/use-list-cursor.ts';
import { LedgerEntryRow, ledgerGrid, ledgerEntryRowProps } from './ledger-entry-row.tsx';
import { LedgerSkeleton } from './ledger-skeleton.tsx';

const ROW_REM = 4.25;
const ignoreOpen = () => undefined;

interface LedgerTableProps {
  entries: readonly LedgerEntry[];
  hasMore: boolean;
  onNearEnd: () => void;
}

/** Ledger entries, newest first. The table is one Tab stop; j and k move between rows. */
export function LedgerTable({ entries, hasMore, onNearEnd }: LedgerTableProps) {
  const router = useRouter();
  const ids = useMemo(() => entries.map(({ id }) => id), [entries]);
  const { cursor, reveal, step, onFocus } = useListCursor(ids, undefined, ignoreOpen);
  const tabStopId = ids[Math.max(0, cursor)];
  const renderRow = useCallback(
    (entry: LedgerEntry) => <LedgerEntryRow entry={entry} isTabStop={entry.id === tabStopId} onFocus={onFocus} />,
    [tabStopId, onFocus],
  );
  const open = () => {
    const generation_id = entries[cursor]?.generation_id;
    if (generation_id) void router.navigate({ to: '/generations/$id', params: { id: generation_id } });
  };
  useListCommands({
    group: 'Ledger',
    item: 'entry',
    onStep: step,
    commands: [{ keys: 'enter', label: 'Open generation', run: open }],
  });
  return (
    <RowList
      label="Entries"
      head={ledgerHead}
      items={entries}
      row_rem={ROW_REM}
      keptIndex={cursor}
      reveal={reveal}
      hasMore={hasMore}
      more={<LedgerSkeleton rows={3} />}
      onNearEnd={onNearEnd}
      className="tabular-nums"
      propsOf={ledgerEntryRowProps}
    >
      {renderRow}
    </RowList>
  );
}

export const ledgerHead = (
  <thead className="block">
    <tr
      aria-rowindex={1}
      className={cx(ledgerGrid, 'h-10 border-b border-line text-xs text-ink-3 *:font-medium @4xl:h-9')}
    >
      <th scope="col" className="text-left [grid-area:kind]">
        Type
      </th>
      <th scope="col" className="text-left [grid-area:what]">
        Description
      </th>
      <th scope="col" className="text-left [grid-area:time] @4xl:text-right">
        Time (UTC)
      </th>
      <th scope="col" className="text-right [grid-area:amount]">
        Amount
      </th>
      <th scope="col" className="text-right [grid-area:after]">
        Available after
      </th>
    </tr>
  </thead>
);
