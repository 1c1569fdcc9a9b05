import { keepPreviousData, type QueryKey, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import type { List } from '#contract/primitives.ts';
import { type LiveList, mergeHead, type ListRow, flattenPages } from './live-list.ts';
import { queryError } from './query-error.ts';

export interface LiveListOptions<R extends ListRow> {
  /** Pass the same array while the list is the same. */
  listKey: QueryKey;
  headKey: QueryKey;
  /** Reads a page; null stands for the newest. */
  loadPage: (cursor: string | null, signal: AbortSignal) => Promise<List<R>>;
  /** Returns the time until the newest page is read again; false: not before the window is focused again. */
  poll_ms: (rows: readonly R[]) => number | false;
  /** false: the filters are not known yet. The list is loading until they are. */
  is_ready?: boolean | undefined;
}

/**
 * A list, newest first, page by page, that stays current. Each page is read once; changes arrive through the newest
 * page, which is read again when the list opens, when the window is focused, and every `poll_ms`. A list scrolled to
 * its ten-thousandth row is thus never read again as a whole.
 */
export function useLiveList<R extends ListRow>(options: LiveListOptions<R>) {
  const { listKey, headKey, loadPage, poll_ms, is_ready = true } = options;
  const client = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: listKey,
    enabled: is_ready,
    queryFn: ({ pageParam, signal }) => loadPage(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: List<R>) => page.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
    // Known pages stay the same objects. A deep comparison of thousands of rows would find only that.
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });
  const rows = useMemo(() => flattenPages(list.data?.pages ?? []), [list.data]);
  const ready = list.isSuccess && !list.isPlaceholderData;
  const first = ready ? list.data.pages[0] : undefined;

  useEffect(() => {
    // Declared before the query below, so that the head starts with the page just read, unless it has been invalidated
    // since.
    const { data, isInvalidated = false } = client.getQueryState(headKey) ?? {};
    if (first && data === undefined && !isInvalidated) client.setQueryData(headKey, first);
  }, [client, headKey, first]);

  const head = useQuery({
    queryKey: headKey,
    queryFn: ({ signal }) => loadPage(null, signal),
    enabled: ready,
    staleTime: 1000,
    // Evaluated after each response, whether it changed anything or not.
    refetchInterval: () => poll_ms(rows),
  });
  const newest = head.data;

  useEffect(() => {
    if (!ready || !newest) return;
    client.setQueryData<LiveList<R>>(listKey, (known) => known && mergeHead(known, newest));
  }, [client, listKey, ready, newest]);

  const { fetchNextPage } = list;
  const loadMore = useCallback(() => {
    // Waits for a page that is loading already.
    void fetchNextPage({ cancelRefetch: false });
  }, [fetchNextPage]);
  // A page is empty where the service looked at enough rows without a match.
  const isSearching = ready && rows.length === 0 && list.hasNextPage && !list.isFetchNextPageError;
  useEffect(() => {
    if (isSearching && !list.isFetchingNextPage) loadMore();
  }, [isSearching, list.isFetchingNextPage, loadMore]);
  const problem = queryError(list);
  // Scrolling does not retry a page that failed; the button does.
  const hasMore = list.hasNextPage && !list.isFetchNextPageError;
  const onNearEnd = useCallback(() => {
    if (hasMore) loadMore();
  }, [hasMore, loadMore]);

  return {
    rows,
    newest,
    isLoading: (list.isPending || isSearching) && problem === null,
    /** The rows belong to the previous filters. */
    isStale: list.isPlaceholderData,
    problem: problem ?? head.error,
    hasMore,
    onNearEnd,
    /** The last page failed; `loadMore` tries it again. */
    moreFailed: list.isFetchNextPageError,
    loadMore,
    reload: () => void (list.isError ? list.refetch() : head.refetch()),
  };
}
