import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { ledgerEntryQuery } from '#web/api/queries/ledger.ts';
import { cx } from '#web/ui/cx.ts';
import { RowList } from '#web/ui/row-list.tsx';
import { omitUndefined } from '#web/ui/search-params.ts';
import { useListCursor, useListCommands } from '#web/ui/use-list-cursor.ts';
import { type LedgerRow, entryIdOf, isLine } from './describe-row.ts';
import { LedgerRowCells, ledgerGrid, ledgerRowProps } from './ledger-row.tsx';
import { LedgerSkeleton } from './ledger-skeleton.tsx';

const ROW_REM = 4.25;
const route = getRouteApi('/billing');

interface LedgerTableProps<R extends LedgerRow> {
  label: string;
  lastColumn: string;
  rows: readonly R[];
  hasMore: boolean;
  onNearEnd: () => void;
}

/** Rows of the ledger, newest first. The table is one Tab stop; j and k move between rows. */
export function LedgerTable<R extends LedgerRow>({ label, lastColumn, rows, hasMore, onNearEnd }: LedgerTableProps<R>) {
  const router = useRouter();
  const search = route.useSearch();
  const { open, ...rest } = search;
  const panelHref = `${router.buildLocation({ to: '/billing', search: { ...rest, part: 'ledger' } }).href}&open=`;
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const openRowId = useOpenRowId(rows, open);
  const show = useCallback(
    (entry_id: string | undefined, replace: boolean) =>
      void router.navigate({
        to: '/billing',
        search: (before) => omitUndefined({ ...before, part: 'ledger' as const, open: entry_id }),
        replace,
        resetScroll: false,
      }),
    [router],
  );
  const follow = useCallback(
    (id: string) => {
      const row = rows.find((each) => each.id === id);
      if (row) show(entryIdOf(row), true);
    },
    [rows, show],
  );
  const { cursor, reveal, step, moveTo, onFocus } = useListCursor(ids, openRowId, follow);
  const tabStopId = ids[Math.max(0, cursor)];
  const propsOf = useCallback((row: R) => ledgerRowProps(row, panelHref, openRowId), [panelHref, openRowId]);
  const renderRow = useCallback(
    (row: R) => (
      <LedgerRowCells
        row={row}
        href={panelHref + entryIdOf(row)}
        isOpen={row.id === openRowId}
        isTabStop={row.id === tabStopId}
        onFocus={onFocus}
      />
    ),
    [panelHref, openRowId, tabStopId, onFocus],
  );
  const close = () => {
    if (open === undefined) return;
    show(undefined, false);
    moveTo(openRowId, { follow: false });
  };
  useListCommands({
    group: 'Ledger',
    item: 'entry',
    onStep: step,
    onOpen: () => {
      const row = rows[cursor];
      if (row) show(entryIdOf(row), open !== undefined);
    },
    commands: [{ keys: 'escape', label: 'Close the panel', run: close }],
  });
  return (
    <RowList
      label={label}
      head={<LedgerTableHead lastColumn={lastColumn} />}
      items={rows}
      row_rem={ROW_REM}
      keptIndex={cursor}
      reveal={reveal}
      hasMore={hasMore}
      more={<LedgerSkeleton rows={3} />}
      onNearEnd={onNearEnd}
      keepScroll
      className="tabular-nums"
      propsOf={propsOf}
    >
      {renderRow}
    </RowList>
  );
}

/** The row of the open entry: its own, or the line that it is folded into. */
function useOpenRowId(rows: readonly LedgerRow[], open: string | undefined): string | undefined {
  const entry = useQuery({ ...ledgerEntryQuery(open ?? ''), enabled: open !== undefined }).data;
  const generation_id = entry?.generation_id ?? null;
  return useMemo(() => {
    if (open === undefined) return undefined;
    const isOpen = (row: LedgerRow) =>
      row.id === open ||
      entryIdOf(row) === open ||
      (isLine(row) && generation_id !== null && row.generation_id === generation_id);
    return rows.find(isOpen)?.id;
  }, [rows, open, generation_id]);
}

export const LedgerTableHead = ({ lastColumn }: { lastColumn: string }) => (
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
      <th scope="col" className="hidden text-left [grid-area:who] @5xl:block">
        Person and tags
      </th>
      <th scope="col" className="text-left [grid-area:time] @4xl:text-right">
        Time (UTC)
      </th>
      <th scope="col" className="text-right [grid-area:amount]">
        Amount
      </th>
      <th scope="col" className="text-right [grid-area:after]">
        {lastColumn}
      </th>
    </tr>
  </thead>
);
