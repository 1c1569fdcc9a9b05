import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ReceiptText, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { formatMoney } from '#contract/money/money.ts';
import type { BillCategory, ProviderBill, ProviderBillLine } from '#contract/resources/provider-bill.ts';
import { api } from '#web/api/api.ts';
import { queryError } from '#web/api/api-errors.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { Money } from '#web/api/money.tsx';
import { useCan } from '#web/api/queries/permissions.ts';
import { billLinesQuery, billQuery, useDeleteBill } from '#web/api/queries/provider-bills.ts';
import { ExportButton } from '#web/collections/export-button.tsx';
import { usePagedList } from '#web/collections/collection-list.ts';
import {
  CollectionRows,
  defineCollection,
  useCollection,
  useCollectionCommands,
} from '#web/collections/collection-view.tsx';
import type { Column } from '#web/collections/list-columns.ts';
import { BackLink } from '#web/ui/back-link.tsx';
import { Button } from '#web/ui/controls/button.tsx';
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { formatNumber } from '#web/ui/formats.ts';
import { Loading, SkeletonText } from '#web/ui/display/skeleton.tsx';
import { showToast } from '#web/ui/overlays/toast-store.ts';
import { formatUtcMonth } from '../period.ts';

export const CATEGORY_LABELS = {
  usage: 'Usage',
  purchase: 'Purchase',
  credit: 'Credit',
  tax: 'Tax',
  adjustment: 'Adjustment',
} as const satisfies Record<BillCategory, string>;

export const lineName = ({ service, description, row }: Pick<ProviderBillLine, 'service' | 'description' | 'row'>) =>
  service ?? description ?? `Row ${row}`;

type LineRow = ProviderBillLine & { id: string };

const COLUMNS: readonly Column<LineRow>[] = [
  {
    id: 'what',
    header: 'Service',
    width: 'minmax(0,1fr)',
    line: 1,
    className: 'min-w-0 truncate',
    skeleton: 'text',
    cell: (line) => <bdi>{lineName(line)}</bdi>,
  },
  {
    id: 'request',
    header: 'Request',
    width: '12rem',
    line: 2,
    className: 'min-w-0 truncate text-xs text-ink-3',
    cell: ({ request_id }) =>
      request_id === null ? null : (
        <Link to="/generations" search={{ q: request_id }} className="underline underline-offset-2">
          {request_id}
        </Link>
      ),
  },
  {
    id: 'kind',
    header: 'Kind',
    width: '7rem',
    from: 'wide',
    className: 'text-sm text-ink-3',
    cell: ({ category, is_correction }) => (is_correction ? 'Correction' : CATEGORY_LABELS[category]),
  },
  {
    id: 'day',
    header: 'Day (UTC)',
    width: '7rem',
    line: 2,
    className: 'text-right text-sm whitespace-nowrap text-ink-3 @3xl:text-left',
    skeleton: 'h-4 w-16',
    cell: ({ charged_at }) => charged_at.slice(0, 10),
  },
  {
    id: 'amount',
    header: 'Amount',
    width: '9rem',
    line: 1,
    align: 'right',
    className: 'text-right text-sm',
    skeleton: 'h-4 w-14',
    cell: ({ amount_usd }) => <Money amount_usd={amount_usd} />,
  },
];

const linesOf = (id: string, fromRow: number | undefined) =>
  defineCollection({
    label: 'Lines',
    item: 'line',
    group: 'Bills',
    filters: {},
    useList: () => {
      const list = usePagedList(billLinesQuery(id, fromRow));
      return {
        ...list,
        rows: useMemo(() => list.rows.map((line) => ({ ...line, id: String(line.row) })), [list.rows]),
      };
    },
    body: {
      columns: COLUMNS,
      narrow: { columns: 'minmax(0,1fr) auto', areas: ['what amount', 'request day'] },
      rowRem: 3.5,
    },
    Empty: NoLines,
  });

const NoLines = () => <EmptyState icon={<ReceiptText aria-hidden="true" />} title="No lines yet" />;

const NO_SEARCH = {};
const ignore = () => undefined;
/** j and k move through rows without a link. */
const rowProps = () => ({ tabIndex: -1 });

/** A bill with its lines. */
export function BillDetails({ id, fromRow }: { id: string; fromRow: number | undefined }) {
  const bill = useQuery(billQuery(id));
  const problem = queryError(bill);
  const collection = useMemo(() => linesOf(id, fromRow), [id, fromRow]);
  const state = useCollection(collection, { search: NO_SEARCH, onChange: ignore });
  useCollectionCommands(collection, state);
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <BackLink to="/billing" search={{ part: 'close', month: bill.data?.month, provider: bill.data?.provider.id }}>
        {bill.data ? bill.data.provider.name : 'Close'}
      </BackLink>
      {bill.data ? (
        <BillHeader bill={bill.data} />
      ) : problem ? (
        <LoadError what="The bill" error={problem} onRetry={() => void bill.refetch()} />
      ) : (
        <Loading label="Loading bill">
          <SkeletonText lines={2} />
        </Loading>
      )}
      <div className="@container">
        {fromRow === undefined ? null : (
          <p className="mb-2 text-sm text-ink-2">
            From row {formatNumber(fromRow)} on.{' '}
            <Link to="/billing" search={{ part: 'close', bill: id }} className="text-ink underline underline-offset-2">
              Show all lines
            </Link>
          </p>
        )}
        <CollectionRows collection={collection} state={state} rowProps={rowProps} />
      </div>
    </div>
  );
}

function BillHeader({ bill }: { bill: ProviderBill }) {
  const { provider, month, filename, line_count, amount, amount_usd, currency, usd_rate, created_by, sha256, read_at } =
    bill;
  const canDelete = useCan('funds.manage');
  const [isDeleting, setIsDeleting] = useState(false);
  const converted = usd_rate === null ? null : `${amount} ${currency} at ${usd_rate}`;
  const facts = [
    filename,
    `${formatNumber(line_count)} ${line_count === 1 ? 'line' : 'lines'}`,
    converted,
    read_at === null ? `added by ${created_by.person?.name ?? created_by.name}` : 'read from the provider',
  ];
  return (
    <div className="flex flex-wrap items-start justify-between gap-3">
      <div className="min-w-0">
        <h2 className="text-md font-semibold wrap-anywhere">
          <bdi>{provider.name}</bdi>, {formatUtcMonth(month)}: {formatMoney(amount_usd)}
        </h2>
        <p className="text-sm wrap-anywhere text-ink-3">{facts.filter(Boolean).join(' · ')}</p>
        <p className="text-xs wrap-anywhere text-ink-3">
          SHA-256 <code className="font-mono">{sha256}</code>
        </p>
      </div>
      <ExportButton
        label="Download file"
        name={filename}
        read={() => api.download('download_provider_bill', { params: { bill_id: bill.id } })}
      />
      {canDelete ? (
        <Button icon={<Trash2 aria-hidden="true" className="size-4" />} onClick={() => setIsDeleting(true)}>
          Delete bill
        </Button>
      ) : null}
      {isDeleting ? <DeleteBillDialog bill={bill} onClose={() => setIsDeleting(false)} /> : null}
    </div>
  );
}

function DeleteBillDialog({ bill, onClose }: { bill: ProviderBill; onClose: () => void }) {
  const navigate = useNavigate();
  const { mutate, isPending, error } = useDeleteBill();
  const confirm = () =>
    mutate(bill.id, {
      onSuccess: () => {
        showToast({ title: 'Bill deleted', tone: 'good' });
        void navigate({ to: '/billing', search: { part: 'close', month: bill.month, provider: bill.provider.id } });
      },
    });
  return (
    <ConfirmDialog
      title="Delete bill"
      description={bill.filename}
      consequences={['Its lines and its file are deleted.', 'The audit log keeps who deleted it, and its SHA-256.']}
      cancelLabel="Keep bill"
      confirmLabel="Delete bill"
      variant="danger"
      busy={isPending}
      error={error}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
