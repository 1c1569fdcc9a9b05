import { getRouteApi } from '@tanstack/react-router';
import { ReceiptText, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useLedger } from '#web/queries/billing.ts';
import { LoadError } from '#web/shell/load-error.tsx';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Loading } from '#web/ui/skeleton.tsx';
import { LedgerFilterBar } from './ledger-filter-bar.tsx';
import { changeLedgerSearch, type LedgerSearch, toLedgerFilters } from './ledger-search.ts';
import { LedgerSkeleton } from './ledger-skeleton.tsx';
import { LedgerTable } from './ledger-table.tsx';

const route = getRouteApi('/billing');

/** Every movement of money, newest first, with filters in the address. */
export function Ledger({ search }: { search: LedgerSearch }) {
  const navigate = route.useNavigate();
  const go = (next: LedgerSearch) => void navigate({ search: next, replace: true, resetScroll: false });
  const filters = useMemo(() => toLedgerFilters(search), [search]);
  const { rows, isLoading, isStale, problem, hasMore, moreFailed, loadMore, reload } = useLedger(filters);
  const onNearEnd = useCallback(() => {
    if (hasMore && !moreFailed) loadMore();
  }, [hasMore, moreFailed, loadMore]);
  return (
    <section aria-label="Ledger">
      <LedgerFilterBar search={search} onChange={(change) => go(changeLedgerSearch(search, change))} />
      {isLoading ? (
        <Loading label="Loading the ledger">
          <LedgerSkeleton rows={8} />
        </Loading>
      ) : rows.length > 0 ? (
        <div className={cx('transition-opacity', isStale && 'opacity-50')}>
          <LedgerTable entries={rows} hasMore={hasMore && !moreFailed} onNearEnd={onNearEnd} />
          {moreFailed ? <LoadError what="Older entries" error={problem} onRetry={loadMore} /> : null}
        </div>
      ) : problem ? (
        <LoadError what="The ledger" error={problem} onRetry={reload} />
      ) : Object.keys(filters).length > 0 ? (
        <EmptyState
          icon={<SearchX aria-hidden="true" />}
          title="Nothing matches"
          actions={
            <Button variant="primary" onClick={() => go({})}>
              Clear filters
            </Button>
          }
        >
          No entry fits all of these filters.
        </EmptyState>
      ) : (
        <EmptyState icon={<ReceiptText aria-hidden="true" />} title="No money has moved yet">
          Credit that is added, and everything that is spent, stands here line by line.
        </EmptyState>
      )}
    </section>
  );
}
