import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo } from 'react';
import { ledgerEntryQuery } from '#web/api/queries/ledger.ts';
import { cx } from '#web/ui/cx.ts';
import { badgeClass } from '#web/ui/badge.tsx';
import { tooltipProps } from '#web/ui/tooltip-props.ts';
import { alignMoney } from '#web/api/money.tsx';
import type { Column } from '#web/collections/list-columns.ts';
import { ResourceList, type ResourceListProps } from '#web/collections/resource-list.tsx';
import { formatUtcMinute } from './format-utc-minute.ts';
import { omitUndefined } from '#web/ui/search-params.ts';
import { useListCursor, useListCommands } from '#web/ui/use-list-cursor.ts';
import { describeRow, type LedgerRow, entryIdOf, isLine } from './describe-row.ts';

const route = getRouteApi('/billing');

const NARROW = { columns: 'auto minmax(0,1fr) auto', areas: ['what what amount', 'kind time after'] };

interface LedgerTableProps<R extends LedgerRow> {
  label: string;
  lastColumn: string;
  list: ResourceListProps<R>['list'];
  empty: ReactNode;
}

/** Rows of the ledger, newest first. The table is one Tab stop; j and k move between rows. */
export function LedgerTable<R extends LedgerRow>({ label, lastColumn, list, empty }: LedgerTableProps<R>) {
  const { rows } = list;
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
  const rowProps = useCallback(
    (row: R) => ({
      'data-href': panelHref + entryIdOf(row),
      className: cx(
        'cursor-pointer',
        row.id === openRowId ? 'bg-press shadow-[inset_2px_0_0_var(--amber)]' : 'hover:bg-hover',
      ),
    }),
    [panelHref, openRowId],
  );
  const columns = useMemo(
    () => columnsOf({ lastColumn, panelHref, openRowId, tabStopId, onFocus }),
    [lastColumn, panelHref, openRowId, tabStopId, onFocus],
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
    <ResourceList
      as="table"
      label={label}
      list={list}
      columns={columns}
      narrow={NARROW}
      rowRem={4.25}
      what="The ledger"
      older="Older entries"
      loadingLabel="Loading ledger"
      empty={empty}
      cursor={{ cursor, reveal }}
      keepScroll
      className="tabular-nums"
      rowProps={rowProps}
    />
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

interface ColumnOptions {
  lastColumn: string;
  /** Address of a row's details, without the id of the entry. */
  panelHref: string;
  openRowId: string | undefined;
  tabStopId: string | undefined;
  onFocus: (id: string) => void;
}

/** Few elements and plain links keep scrolling smooth with 100,000 rows. */
function columnsOf({ lastColumn, panelHref, openRowId, tabStopId, onFocus }: ColumnOptions): Column<LedgerRow>[] {
  return [
    {
      id: 'kind',
      header: 'Type',
      width: '6.5rem',
      line: 2,
      className: 'justify-self-start',
      skeleton: 'h-5 w-18',
      cell: (row) => {
        const { kind } = describeRow(row);
        return (
          <span {...tooltipProps(kind.sentence)} className={badgeClass(kind.tone)}>
            {kind.label}
          </span>
        );
      },
    },
    {
      id: 'what',
      header: 'Description',
      width: 'minmax(0,1fr)',
      line: 1,
      // One block of two lines: truncating each line by itself slows scrolling.
      className: 'min-w-0 truncate pb-0.5 leading-[1.2]',
      skeleton: 'h-4 w-40',
      cell: (row) => {
        const { title, detail, number, who, tags, afterUsd } = describeRow(row);
        const work = [who, tags].filter(Boolean).join(' · ');
        return (
          <>
            <a
              href={panelHref + entryIdOf(row)}
              data-row=""
              tabIndex={row.id === tabStopId ? 0 : -1}
              aria-current={row.id === openRowId ? 'true' : undefined}
              onFocus={() => onFocus(row.id)}
            >
              {title}
            </a>
            <br />
            <span className="text-xs text-ink-3">
              {[afterUsd === null ? '' : number, detail].filter(Boolean).join(' · ')}
              <span className="@5xl:hidden">{afterUsd === null && !detail ? work : work && ` · ${work}`}</span>
            </span>
          </>
        );
      },
    },
    {
      id: 'who',
      header: 'Person and tags',
      width: '9rem',
      from: 'widest',
      className: 'min-w-0 truncate leading-[1.2]',
      cell: (row) => {
        const { who, tags } = describeRow(row);
        return (
          <>
            {who}
            <br />
            <span className="text-xs text-ink-3">{tags}</span>
          </>
        );
      },
    },
    {
      id: 'time',
      header: 'Time (UTC)',
      width: '7.5rem',
      line: 2,
      align: 'right',
      className: 'pt-0.5 text-xs whitespace-nowrap text-ink-3 @4xl:text-sm',
      skeleton: 'h-4 w-16',
      cell: ({ created_at }) => <span data-tooltip={created_at}>{formatUtcMinute(created_at)}</span>,
    },
    {
      id: 'amount',
      header: 'Amount',
      width: '8rem',
      align: 'right',
      className: 'self-start pt-1.5 text-right font-medium whitespace-nowrap @4xl:self-center @4xl:pt-0',
      skeleton: 'h-4 w-14',
      cell: (row) => (
        <span className={describeRow(row).kind.tone === 'good' && row.amount_usd !== '0.00' ? 'text-good' : undefined}>
          {alignMoney(row.amount_usd, { signed: true })}
        </span>
      ),
    },
    {
      id: 'after',
      header: lastColumn,
      width: '8.5rem',
      line: 2,
      align: 'right',
      className: 'justify-self-end pt-0.5 text-right text-xs whitespace-nowrap text-ink-3 @4xl:text-sm',
      skeleton: 'h-4 w-16',
      cell: (row) => {
        const { afterUsd, number } = describeRow(row);
        return afterUsd === null ? number : alignMoney(afterUsd);
      },
    },
  ];
}
