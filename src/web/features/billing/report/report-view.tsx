import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ReportDimension } from '#contract/money/ledger.ts';
import { ApiError, queryError } from '#web/api/api-errors.ts';
import { useCatalogNames } from '#web/api/catalog-names.ts';
import { LoadError } from '#web/api/load-error.tsx';
import { EmptyState } from '#web/ui/display/empty-state.tsx';
import { Refreshing } from '#web/ui/display/refreshing.tsx';
import { Loading, SkeletonText } from '#web/ui/display/skeleton.tsx';
import type { LedgerSearch } from '../ledger/ledger-search.ts';
import { formatGroup, joinSearch, toLedgerSearch } from '../report-dimensions.ts';
import type { ReportHeading } from '#web/collections/report-table.tsx';

export interface ReportViewProps<Query> {
  query: Query;
  rowsLabel: string;
  /** Period and filter of the report, for the links to its entries. */
  filter: LedgerSearch;
}

/** Names groups as the catalog does, and links them to their entries. */
export function useHeadings(filter: LedgerSearch) {
  const names = useCatalogNames();
  return (by: ReportDimension, { id, name }: { id: string | null; name: string }): ReportHeading => {
    const found = toLedgerSearch(by, id);
    return {
      id: id ?? '',
      name: formatGroup(by, id) ?? ((id && names.find(id)) || name),
      link: found && { to: '/billing', search: { part: 'ledger', ...joinSearch(filter, found) } },
    };
  };
}

interface ReportQueryProps<Data> {
  query: UseQueryResult<Data>;
  what: string;
  children: (data: Data) => ReactNode;
}

export function ReportQuery<Data>({ query, what, children }: ReportQueryProps<Data>) {
  const problem = queryError(query);
  if (problem instanceof ApiError && problem.status === 422)
    return <EmptyState title="Choose another report">{problem.message}</EmptyState>;
  if (query.data !== undefined) return <Refreshing active={query.isPlaceholderData}>{children(query.data)}</Refreshing>;
  if (problem) return <LoadError what={what} error={problem} onRetry={() => void query.refetch()} />;
  return (
    <Loading label="Loading report">
      <SkeletonText lines={8} />
    </Loading>
  );
}
