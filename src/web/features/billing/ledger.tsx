import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ReceiptText, SearchX } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { ledgerQuery } from '#web/queries/billing.ts';
import { LoadError } from '#web/shell/load-error.tsx';
import { Button } from '#web/ui/button.tsx';
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
  const { data, error, isPending, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } =
    useInfiniteQuery(ledgerQuery(filters));
  const entries = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  return (
    <section aria-label="Ledger">
      <LedgerFilterBar search={search} onChange={(change) => go(changeLedgerSearch(search, change))} />
      {isPending ? (
        <Loading label="Loading the ledger">
          <LedgerSkeleton rows={8} />
        </Loading>
      ) : entries.length > 0 ? (
        <>
          <LedgerTable entries={entries} hasMore={hasNextPage} onNearEnd={onNearEnd} />
          {isFetchNextPageError ? (
            <LoadError what="Older entries" error={error} onRetry={() => void fetchNextPage()} />
          ) : null}
        </>
      ) : error ? (
        <LoadError what="The ledger" error={error} onRetry={() => void refetch()} />
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
