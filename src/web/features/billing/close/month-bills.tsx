import { Link } from '@tanstack/react-router';
import { ReceiptText } from 'lucide-react';
import { useMemo } from 'react';
import type { ProviderBill } from '#contract/resources/provider-bill.ts';
import { Money } from '#web/api/money.tsx';
import { billsQuery } from '#web/api/queries/provider-bills.ts';
import { usePagedList } from '#web/collections/collection-list.ts';
import {
  CollectionRows,
  defineCollection,
  useCollection,
  useCollectionCommands,
} from '#web/collections/collection-view.tsx';
import { type Column, ROW_LINK } from '#web/collections/list-columns.ts';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { RelativeTime } from '#web/ui/display/relative-time.tsx';

const COLUMNS: readonly Column<ProviderBill>[] = [
  {
    id: 'file',
    header: 'File',
    width: 'minmax(0,1fr)',
    line: 1,
    className: 'min-w-0 truncate [&>a]:font-medium',
    skeleton: 'text',
    cell: ({ id, filename, month }) => (
      <Link to="/billing" search={{ part: 'close', month, bill: id }} dir="auto" {...ROW_LINK}>
        {filename}
      </Link>
    ),
  },
  {
    id: 'provider',
    header: 'Provider',
    width: '10rem',
    line: 2,
    className: 'min-w-0 truncate text-sm text-ink-3 @3xl:text-ink',
    skeleton: 'h-4 w-20',
    cell: ({ provider }) => provider.name,
  },
  {
    id: 'lines',
    header: 'Lines',
    width: '6rem',
    from: 'wide',
    align: 'right',
    className: 'text-sm tabular-nums',
    cell: ({ line_count }) => formatNumber(line_count),
  },
  {
    id: 'amount',
    header: 'Amount',
    width: '9rem',
    line: 1,
    align: 'right',
    className: 'text-right text-sm',
    skeleton: 'h-4 w-16',
    cell: ({ amount_usd }) => <Money amount_usd={amount_usd} />,
  },
  {
    id: 'time',
    header: 'Added',
    width: '7rem',
    line: 2,
    align: 'right',
    className: 'relative z-1 text-right text-sm text-ink-3',
    skeleton: 'h-4 w-14',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
];

const billsOf = (month: string) =>
  defineCollection({
    label: 'Bills',
    item: 'bill',
    group: 'Bills',
    filters: {},
    useList: () => usePagedList(billsQuery(month)),
    body: {
      columns: COLUMNS,
      narrow: { columns: 'minmax(0,1fr) auto', areas: ['file amount', 'provider time'] },
      rowRem: 3.75,
    },
    skeletonRows: 3,
    Empty: NoBills,
  });

function NoBills() {
  return (
    <EmptyState icon={<ReceiptText aria-hidden="true" />} title="No bills yet">
      Add the bill of a provider as a FOCUS file or any CSV from its console.
    </EmptyState>
  );
}

const NO_SEARCH = {};
const ignore = () => undefined;

export function MonthBills({ month }: { month: string }) {
  const collection = useMemo(() => billsOf(month), [month]);
  const state = useCollection(collection, { search: NO_SEARCH, onChange: ignore });
  useCollectionCommands(collection, state);
  return (
    <section aria-label="Bills" className="@container">
      <h2 className="mb-2 text-md font-semibold">Bills</h2>
      <CollectionRows collection={collection} state={state} />
    </section>
  );
}
