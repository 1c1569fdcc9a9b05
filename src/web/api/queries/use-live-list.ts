import { keepPreviousData, type QueryKey, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import type { List } from '#contract/primitives.ts';
import { type LiveList, mergeHead, type ListRow, flattenPages } from './live-list.ts';
import { queryError } from './query-error.ts';

export interface LiveListOptions<R extends ListRow> {
  /** The same array as long as it is the same list. */
  listKey: QueryKey;
  headKey: QueryKey;
  /** Reads a page; null stands for the newest. */
  read: (cursor: string | null, signal: AbortSignal) => Promise<List<R>>;
  /** How long until the newest page is read again by itself; false: not before the tab is looked at anew. */
  poll_ms: (rows: readonly R[]) => number | false;
}

/**
 * A list, newest first, page by page, that stays true while it is looked at. Pages are read once; what is new or changes comes
 * through the newest page, which is read again when the list is opened or looked at, and by itself as `poll_ms` says. So a
 * list scrolled down to its ten-thousandth row is never read again as a whole.
 */
export function useLiveList<R extends ListRow>({ listKey, headKey, read, poll_ms }: LiveListOptions<R>) {
  const client = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: listKey,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: List<R>) => page.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
    // Pages that were there stay the same objects; comparing thousands of rows deeply would only say so, slowly.
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });
  const rows = useMemo(() => flattenPages(list.data?.pages ?? []), [list.data]);
  const ready = list.isSuccess && !list.isPlaceholderData;
  const first = ready ? list.data.pages[0] : undefined;

  useEffect(() => {
    // Declared before the query below, so that it starts with what has just been read instead of asking again: unless
    // something came meanwhile that the page read may lack.
    const { data, isInvalidated = false } = client.getQueryState(headKey) ?? {};
    if (first && data === undefined && !isInvalidated) client.setQueryData(headKey, first);
  }, [client, headKey, first]);

  const head = useQuery({
    queryKey: headKey,
    queryFn: ({ signal }) => read(null, signal),
    enabled: ready,
    staleTime: 1000,
    // Judged anew after each reading, whether it brought anything or not.
    refetchInterval: () => poll_ms(rows),
  });
  const newest = head.data;

  useEffect(() => {
    if (!ready || !newest) return;
    client.setQueryData<LiveList<R>>(listKey, (known) => known && mergeHead(known, newest));
  }, [client, listKey, ready, newest]);

  const { fetchNextPage } = list;
  const loadMore = useCallback(() => {
    // A page that is on its way is waited for.
    void fetchNextPage({ cancelRefetch: false });
  }, [fetchNextPage]);
  const problem = queryError(list);
  // Scrolling asks for a page that failed no more: a button does.
  const hasMore = list.hasNextPage && !list.isFetchNextPageError;
  const onNearEnd = useCallback(() => {
    if (hasMore) loadMore();
  }, [hasMore, loadMore]);

  return {
    /** Everything loaded so far. */
    rows,
    newest,
    isLoading: list.isPending && problem === null,
    /** The rows still belong to the filters before. */
    isStale: list.isPlaceholderData,
    problem: problem ?? head.error,
    /** Further pages, which come as one scrolls. */
    hasMore,
    onNearEnd,
    /** The last page could not be read; `loadMore` tries again. */
    moreFailed: list.isFetchNextPageError,
    loadMore,
    reload: () => void (list.isError ? list.refetch() : head.refetch()),
  };
}
