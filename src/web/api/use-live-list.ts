import { keepPreviousData, replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { List } from '#contract/primitives.ts';
import { useLatest } from '#web/ui/hooks/use-latest.ts';
import { apiKey, type ApiRequest, fetchPage, type ListEndpoint, type RowOf } from './api-query.ts';
import { appendPage, type ListRow, type LiveList, mergeNewest, refreshRows } from './live-list.ts';
import { queryError } from './api-errors.ts';

export interface LiveListOptions<N extends ListEndpoint, R extends ListRow> {
  name: N;
  request: ApiRequest<N>;
  /** Turns a page into what is cached. `more` reads the page after a cursor. */
  read: (page: List<RowOf<N>>, more: (cursor: string) => Promise<List<RowOf<N>>>) => List<R> | Promise<List<R>>;
  /** Returns the time until the newest page is read again; false: not before the window is focused again. */
  poll: (rows: readonly R[]) => number | false;
  /** false: the filters are not known yet. The list is loading until they are. */
  isReady?: boolean | undefined;
  /** A list in another order than newest first: its rows keep their places until it opens again. */
  isSorted?: boolean;
}

/**
 * A list, newest first, page by page, that stays current. Only its newest page is read again: when the list opens, when
 * the window is focused, and at every poll. A list scrolled to its ten-thousandth row is thus never read as a whole.
 */
export function useLiveList<N extends ListEndpoint, R extends ListRow>(options: LiveListOptions<N, R>) {
  const { name, request, read, poll, isReady = true, isSorted = false } = options;
  const client = useQueryClient();
  const queryKey = apiKey(name, request, 'live');
  const loadPage = async (cursor: string | null, signal: AbortSignal) =>
    read(await fetchPage(name, request, cursor, signal), (next) => fetchPage(name, request, next, signal));
  const list = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const newest = await loadPage(null, signal);
      const known = client.getQueryData<LiveList<R>>(queryKey);
      const latest = replaceEqualDeep(known?.newest, newest);
      return isSorted ? refreshRows(known, latest) : mergeNewest(known, latest);
    },
    enabled: isReady,
    staleTime: 1000,
    refetchOnWindowFocus: !isSorted,
    ...(isSorted ? { gcTime: 0 } : {}),
    // Evaluated after each response, whether it changed anything or not.
    refetchInterval: ({ state }) => !isSorted && poll(state.data?.rows ?? []),
    // Unchanged rows stay the same objects already. A deep comparison of thousands would find only that.
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.rows ?? NO_ROWS;
  const isComplete = list.isSuccess && !list.isPlaceholderData;
  const cursor = isComplete ? list.data.nextCursor : null;
  const [wanted, setWanted] = useState<string | null>(null);
  const page = useQuery({
    queryKey: [name, request, 'page', cursor],
    queryFn: async ({ signal }) => {
      const next = await loadPage(cursor, signal);
      // The newest page may have started the list over meanwhile.
      client.setQueryData<LiveList<R>>(
        queryKey,
        (known) => (known?.nextCursor === cursor ? appendPage(known, next) : known),
        { updatedAt: client.getQueryState(queryKey)?.dataUpdatedAt },
      );
      return cursor;
    },
    enabled: cursor !== null && wanted === cursor,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const moreFailed = page.isError;

  const latestRef = useLatest({ cursor, wanted, refetch: page.refetch });
  const loadMore = useCallback(() => {
    const { cursor: next, wanted: last, refetch } = latestRef.current;
    if (next === null) return;
    // Waits for a page that is loading already.
    if (last === next) void refetch({ cancelRefetch: false });
    else setWanted(next);
  }, [latestRef]);
  // A page is empty where the service looked at enough rows without a match.
  const isSearching = cursor !== null && rows.length === 0 && !moreFailed;
  useEffect(() => {
    if (isSearching && cursor !== wanted) loadMore();
  }, [isSearching, cursor, wanted, loadMore]);
  const problem = queryError(list) ?? page.error;
  // Scrolling does not retry a page that failed; the button does.
  const hasMore = cursor !== null && !moreFailed;
  const onNearEnd = useCallback(() => {
    if (hasMore) loadMore();
  }, [hasMore, loadMore]);

  return {
    rows: rows as readonly R[],
    newest: isComplete ? list.data.newest : undefined,
    isLoading: (list.isPending || isSearching) && problem === null,
    /** The rows belong to the previous filters. */
    isStale: list.isPlaceholderData,
    problem,
    /** The service did not respond to the last read, which is sent again. */
    isUnreachable: list.failureReason !== null,
    hasMore,
    onNearEnd,
    /** The last page failed; `loadMore` tries it again. */
    moreFailed,
    loadMore,
    reload: () => void list.refetch(),
  };
}

const NO_ROWS: readonly never[] = [];
