import { ReceiptText } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import { api } from '#web/api/api.ts';
import { type LedgerFilters, useLedger } from '#web/api/queries/billing.ts';
import { keysQuery } from '#web/api/queries/keys.ts';
import { useCan } from '#web/api/queries/permissions.ts';
import { ListStates } from '#web/api/list-states.tsx';
import { EmptyState, NoMatches } from '#web/ui/empty-state.tsx';
import { Loading, Skeleton } from '#web/ui/skeleton.tsx';
import { LedgerFilterBar } from './ledger-filter-bar.tsx';
import type { BillingTabProps } from '../billing-search.ts';
import { ExportButton } from '#web/api/export-button.tsx';
import { exportFilename } from './export-filename.ts';
import { toLedgerFilters, type ListLedgerQuery } from './ledger-filters.ts';
import { LedgerSkeleton } from './ledger-skeleton.tsx';
import { ledgerHead, LedgerTable } from './ledger-table.tsx';
import { LEDGER_TYPES } from '#contract/ledger.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { LEDGER_TYPE_LABELS } from './ledger-type-labels.ts';
import { ledgerSumsQuery } from '#web/api/queries/audit.ts';
import { formatNumber } from '#web/ui/formats.ts';
import { Money } from '#web/ui/money.tsx';

export function Ledger({ search, onChange, onClear }: BillingTabProps) {
  const heading = useId();
  const filters = useMemo(() => toLedgerFilters(search), [search]);
  const keys = useQuery({ ...keysQuery, enabled: useCan('keys.manage') && search.key !== undefined }).data;
  const keyName = keys?.find(({ id }) => id === search.key)?.name;
  return (
    <section aria-labelledby={heading} className="@container">
      <h2 id={heading} className="sr-only">
        Ledger
      </h2>
      <div className="flex items-start justify-between gap-3 max-lg:flex-col-reverse max-lg:gap-0">
        <LedgerFilterBar search={search} onChange={onChange} />
        <div className="max-lg:mb-3">
          <ExportButton
            name={exportFilename(search, keyName)}
            read={() => api.download('export_ledger', { query: filters })}
          />
        </div>
      </div>
      <LedgerTotals filters={filters} />
      <LedgerTypeLegend />
      <LedgerEntries filters={filters} onClear={onClear} />
    </section>
  );
}

/** A separate component, so that loading more entries rerenders only the list. */
function LedgerEntries({ filters, onClear }: { filters: LedgerFilters; onClear: () => void }) {
  const list = useLedger(filters);
  return (
    <ListStates
      list={list}
      what="The ledger"
      older="Older entries"
      loading={
        <Loading label="Loading ledger">
          <table aria-hidden="true" className="block">
            {ledgerHead}
          </table>
          <LedgerSkeleton rows={8} />
        </Loading>
      }
      empty={
        Object.keys(filters).length > 0 ? (
          <NoMatches onClear={onClear}>No entries match these filters.</NoMatches>
        ) : (
          <EmptyState icon={<ReceiptText aria-hidden="true" />} title="No entries yet">
            Credits and charges appear here.
          </EmptyState>
        )
      }
    >
      <LedgerTable entries={list.rows} hasMore={list.hasMore} onNearEnd={list.onNearEnd} />
    </ListStates>
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
