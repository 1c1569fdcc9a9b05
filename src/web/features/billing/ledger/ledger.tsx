import { ReceiptText } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useRef } from 'react';
import { api } from '#web/api/api.ts';
import { type LedgerFilters, useLedger, useLedgerLines } from '#web/api/queries/ledger.ts';
import { keysQuery } from '#web/api/queries/keys.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { LedgerFilterBar } from './ledger-filter-bar.tsx';
import type { BillingTabProps } from '../billing-search.ts';
import { ExportButton } from '#web/collections/export-button.tsx';
import { exportFilename } from './export-filename.ts';
import type { LedgerRow } from './describe-row.ts';
import { lineTypes, showsEntries } from './ledger-search.ts';
import { SearchBox } from '#web/ui/search-box.tsx';
import { SegmentedControl } from '#web/ui/segmented-control.tsx';
import { toLedgerFilters, type ListLedgerQuery } from './ledger-filters.ts';
import { LedgerTable } from './ledger-table.tsx';
import { LEDGER_TYPES } from '#contract/ledger.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { useCommands } from '#web/ui/commands.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { LEDGER_TYPE_LABELS } from './ledger-type-labels.ts';
import { ledgerSumsQuery } from '#web/api/queries/billing.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { Money } from '#web/api/money.tsx';

const VIEWS = [
  { value: 'lines', label: 'Charges', hint: 'One row for each charge, with its reservation, release and refunds' },
  { value: 'entries', label: 'All entries', hint: 'Every ledger entry in a row of its own' },
] as const;

export function Ledger({ search, onChange, onClear }: BillingTabProps) {
  const heading = useId();
  const searchBox = useRef<HTMLInputElement>(null);
  const filters = useMemo(() => toLedgerFilters(search), [search]);
  const keys = useQuery({ ...keysQuery, enabled: useCan('keys.manage') && search.key !== undefined }).data;
  const keyName = keys?.find(({ id }) => id === search.key)?.name;
  useCommands([{ group: 'Ledger', keys: 'f', label: 'Search', run: () => searchBox.current?.focus() }]);
  const isEntries = showsEntries(search);
  const Rows = isEntries ? LedgerEntries : LedgerLines;
  return (
    <section aria-labelledby={heading} className="@container">
      <h2 id={heading} className="sr-only">
        Ledger
      </h2>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <SearchBox
          ref={searchBox}
          label="Search number, ID, amount or text"
          value={search.q ?? ''}
          onChange={(q) => onChange({ q: q || undefined })}
          className="min-w-60 flex-1"
        />
        <SegmentedControl
          label="View"
          value={isEntries ? 'entries' : 'lines'}
          options={VIEWS}
          onChange={(view) =>
            onChange(
              view === 'entries'
                ? { ledger: view }
                : { ledger: undefined, type: lineTypes.find((type) => type === search.type) },
            )
          }
        />
        <ExportButton
          name={exportFilename(search, keyName)}
          read={() => api.download('export_ledger', { query: filters })}
        />
      </div>
      <LedgerFilterBar search={search} onChange={onChange} />
      {filters.q === undefined ? <LedgerTotals filters={filters} /> : null}
      <LedgerTypeLegend />
      <Rows
        filters={filters}
        onClear={onClear}
        onClosePanel={search.open === undefined ? undefined : () => onChange({ open: undefined })}
      />
    </section>
  );
}

interface LedgerRowsProps {
  filters: LedgerFilters;
  onClear: () => void;
  /** undefined: no entry is open. */
  onClosePanel: (() => void) | undefined;
}

/** Separate components, so that loading more rows rerenders only the list. */
function LedgerLines(props: LedgerRowsProps) {
  const list = useLedgerLines(props.filters);
  return <LedgerRows {...props} list={list} label="Charges" lastColumn="Entries" />;
}

function LedgerEntries(props: LedgerRowsProps) {
  const list = useLedger(props.filters);
  return <LedgerRows {...props} list={list} label="Entries" lastColumn="Available after" />;
}

interface LedgerListProps extends LedgerRowsProps {
  list: ReturnType<typeof useLedger> | ReturnType<typeof useLedgerLines>;
  label: string;
  lastColumn: string;
}

function LedgerRows({ list, label, lastColumn, filters, onClear, onClosePanel }: LedgerListProps) {
  const isTableShown = !list.isLoading && list.rows.length > 0;
  // The table closes the panel itself, to move the focus to the row.
  useCommands(
    onClosePanel && !isTableShown
      ? [{ group: 'Ledger', keys: 'escape', label: 'Close the panel', hiddenInPalette: true, run: onClosePanel }]
      : [],
  );
  return (
    <LedgerTable<LedgerRow>
      label={label}
      lastColumn={lastColumn}
      list={list}
      empty={
        list.hasMore ? (
          <EmptyState
            title="No match among the newest entries"
            actions={<Button onClick={list.loadMore}>Search older entries</Button>}
          >
            A date, a person or a more specific text makes the search faster.
          </EmptyState>
        ) : Object.keys(filters).length > 0 ? (
          <NoMatches onClear={onClear}>No entries match these filters.</NoMatches>
        ) : (
          <EmptyState icon={<ReceiptText aria-hidden="true" />} title="No entries yet">
            Credits and charges appear here.
          </EmptyState>
        )
      }
    />
  );
}

function LedgerTypeLegend() {
  return (
    <Disclosure summary="Entry types" className="mb-3">
      <dl className="grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[auto_minmax(0,1fr)]">
        {LEDGER_TYPES.map((type) => (
          <div key={type} className="contents">
            <dt>
              <Badge tone={LEDGER_TYPE_LABELS[type].tone}>{LEDGER_TYPE_LABELS[type].label}</Badge>
            </dt>
            <dd className="text-ink-2 max-sm:mb-1.5">{LEDGER_TYPE_LABELS[type].sentence}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  );
}

/** Totals of the filtered entries. Renders nothing if the service does not provide them. */
function LedgerTotals({ filters }: { filters: ListLedgerQuery }) {
  const { data: sums, isError } = useQuery(ledgerSumsQuery(filters));
  if (sums === null || (isError && !sums)) return null;
  if (!sums) return <Skeleton className="mb-3 h-5 w-72 max-w-full" />;
  return (
    <dl aria-label="Totals" className="mb-3 flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-2">
      <Total name="Entries">
        <span className="tabular-nums">{formatNumber(sums.count)}</span>
      </Total>
      <Total name="Spent">
        <Money amount_usd={sums.spent_usd} />
      </Total>
      {sums.by_type.map(({ type, amount_usd }) => (
        <Total key={type} name={LEDGER_TYPE_LABELS[type].label}>
          <Money signed amount_usd={amount_usd} />
        </Total>
      ))}
      <Total name="Net change">
        <Money signed amount_usd={sums.amount_usd} />
      </Total>
    </dl>
  );
}

function Total({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex gap-1.5">
      <dt className="text-ink-3">{name}</dt>
      <dd className="font-medium text-ink">{children}</dd>
    </div>
  );
}
