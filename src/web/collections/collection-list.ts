import {
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryOptions,
  useQuery,
  type UseQueryOptions,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import type { List } from '#contract/primitives.ts';
import type { ListStatesProps } from '#web/api/list-states.tsx';
import { queryError } from '#web/api/api-errors.ts';

/** What a collection shows: the result of `useLiveList`, or of a hook below. */
export type CollectionList<R> = Omit<ListStatesProps['list'], 'rows'> & {
  rows: readonly R[];
  hasMore: boolean;
  onNearEnd: () => void;
  /** Where a button loads more. */
  isLoadingMore?: boolean;
};

/** A list that is read again as a whole; see `apiPages`. */
export function usePagedList<R, K extends readonly unknown[]>(
  options: UseInfiniteQueryOptions<List<R>, Error, InfiniteData<List<R>>, K, string | null>,
): CollectionList<R> {
  const list = useInfiniteQuery(options);
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);
  const loadMore = () => void list.fetchNextPage();
  return {
    rows,
    isLoading: list.isPending && queryError(list) === null,
    isStale: list.isPlaceholderData,
    problem: queryError(list),
    moreFailed: list.isFetchNextPageError,
    hasMore: list.hasNextPage && !list.isFetchNextPageError,
    isLoadingMore: list.isFetchingNextPage,
    // A request for a page that there is not would cancel one that reads the list again.
    onNearEnd: () => {
      if (list.hasNextPage && !list.isFetching && !list.isFetchNextPageError) loadMore();
    },
    loadMore,
    reload: () => void list.refetch(),
  };
}

const NOTHING = () => undefined;

/** A list that the service returns in one response. */
export function useWholeList<T, R, K extends readonly unknown[]>(
  options: UseQueryOptions<T, Error, R[], K>,
): CollectionList<R> {
  const list = useQuery(options);
  return {
    rows: list.data ?? [],
    isLoading: list.isPending && queryError(list) === null,
    isStale: list.isPlaceholderData,
    problem: queryError(list),
    moreFailed: false,
    hasMore: false,
    onNearEnd: NOTHING,
    loadMore: NOTHING,
    reload: () => void list.refetch(),
  };
}
