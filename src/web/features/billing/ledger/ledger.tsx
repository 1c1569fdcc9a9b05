import { ReceiptText } from 'lucide-react';
import { useMemo } from 'react';
import { api } from '#web/api.ts';
import { type LedgerFilters, useLedger } from '#web/queries/billing.ts';
import { ListStates } from '#web/shell/list-states.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NothingMatches } from '#web/ui/nothing-matches.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { LedgerFilterBar } from './ledger-filter-bar.tsx';
import type { PartProps } from '../billing-search.ts';
import { ExportButton } from '../export-button.tsx';
import { EntryKinds } from './entry-kinds.tsx';
import { type LedgerSearch, toLedgerFilters } from './ledger-search.ts';
import { LedgerSkeleton } from './ledger-skeleton.tsx';
import { LedgerSums } from './ledger-sums.tsx';
import { LedgerTable } from './ledger-table.tsx';

/** Every movement of money, newest first, with filters in the address. */
export function Ledger({ search, onChange, onClear }: PartProps) {
  const filters = useMemo(() => toLedgerFilters(search), [search]);
  return (
    <section aria-label="Ledger" className="@container">
      <div className="flex items-start justify-between gap-3 max-lg:flex-col-reverse max-lg:gap-0">
        <LedgerFilterBar search={search} onChange={onChange} />
        <div className="max-lg:mb-3">
          <ExportButton name={exportName(search)} read={() => api.file('export_ledger', { query: filters })} />
        </div>
      </div>
      <LedgerSums filters={filters} />
      <EntryKinds />
      <Entries filters={filters} onClear={onClear} />
    </section>
  );
}

/** By itself, so that a page of entries that arrives renders nothing but the list. */
function Entries({ filters, onClear }: { filters: LedgerFilters; onClear: () => void }) {
  const list = useLedger(filters);
  return (
    <ListStates
      list={list}
      what="The ledger"
      older="Older entries"
      loading={
        <Loading label="Loading the ledger">
          <LedgerSkeleton rows={8} />
        </Loading>
      }
      nothing={
        Object.keys(filters).length > 0 ? (
          <NothingMatches onClear={onClear}>No entry fits all of these filters.</NothingMatches>
        ) : (
          <EmptyState icon={<ReceiptText aria-hidden="true" />} title="No money has moved yet">
            Credit that is added, and everything that is spent, stands here line by line.
          </EmptyState>
        )
      }
    >
      <LedgerTable entries={list.rows} hasMore={list.hasMore} onNearEnd={list.onNearEnd} />
    </ListStates>
  );
}

/** Says what is in it: "ledger 2026-11-01 to 2026-11-30 charged.csv". */
function exportName({ type, from, to, task, model, key, generation, run }: LedgerSearch): string {
  const span = from || to ? `${from ?? 'start'} to ${to ?? 'now'}` : 'all';
  const rest = [type?.toLowerCase(), task, model, key, generation, run].filter(Boolean);
  return `${['ledger', span, ...rest].join(' ')}.csv`;
}
