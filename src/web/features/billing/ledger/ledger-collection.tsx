import { ReceiptText } from 'lucide-react';
import { createContext, use } from 'react';
import { useLedger, useLedgerLines } from '#web/api/queries/ledger.ts';
import { alignMoney } from '#web/api/money.tsx';
import type { CollectionList } from '#web/collections/collection-list.ts';
import { defineCollection } from '#web/collections/collection-view.tsx';
import type { Column } from '#web/collections/list-columns.ts';
import { badgeClass } from '#web/ui/display/badge.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { tooltipProps } from '#web/ui/overlays/tooltip-props.ts';
import { describeRow, entryIdOf, type LedgerRow } from './describe-row.ts';
import { formatUtcMinute } from './format-utc-minute.ts';
import { LEDGER_FILTERS } from './ledger-search.ts';

interface LedgerRowsState {
  /** Address of a row's details, without the id of the entry. */
  panelHref: string;
  openRowId: string | undefined;
  /** The table is one Tab stop; j and k move between rows. */
  tabStopId: string | undefined;
}

/** What the rows share. */
export const LedgerRowsContext = createContext<LedgerRowsState>({
  panelHref: '',
  openRowId: undefined,
  tabStopId: undefined,
});

function EntryAnchor({ row, title }: { row: LedgerRow; title: string }) {
  const { panelHref, openRowId, tabStopId } = use(LedgerRowsContext);
  return (
    <a
      href={panelHref + entryIdOf(row)}
      data-row=""
      tabIndex={row.id === tabStopId ? 0 : -1}
      aria-current={row.id === openRowId ? 'true' : undefined}
    >
      {title}
    </a>
  );
}

/** Few elements and plain links keep scrolling smooth with 100,000 rows. */
const columnsOf = (lastColumn: string): readonly Column<LedgerRow>[] => [
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
          <EntryAnchor row={row} title={title} />
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

const NoEntries = () => (
  <EmptyState icon={<ReceiptText aria-hidden="true" />} title="No entries yet">
    Credits and charges appear here.
  </EmptyState>
);

const SHARED = { item: 'entry', group: 'Ledger', what: 'The ledger', filters: LEDGER_FILTERS, Empty: NoEntries };

const bodyOf = (lastColumn: string) => ({
  as: 'table' as const,
  columns: columnsOf(lastColumn),
  narrow: { columns: 'auto minmax(0,1fr) auto', areas: ['what what amount', 'kind time after'] },
  rowRem: 4.25,
});

/** One row for each charge. */
export const LEDGER_LINES = defineCollection({
  ...SHARED,
  label: 'Charges',
  useList: (query): CollectionList<LedgerRow> => useLedgerLines(query),
  body: bodyOf('Entries'),
});

/** Every entry in a row of its own. */
export const LEDGER_ENTRIES = defineCollection({
  ...SHARED,
  label: 'Entries',
  useList: (query): CollectionList<LedgerRow> => useLedger(query),
  body: bodyOf('Available after'),
});
