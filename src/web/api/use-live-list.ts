import { keepPreviousData, replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { List } from '#contract/primitives.ts';
import { useLatest } from '#web/ui/use-latest.ts';
import { apiKey, type ApiRequest, fetchPage, type ListEndpoint, type RowOf } from './api-query.ts';
import { appendPage, type ListRow, type LiveList, mergeNewest } from './live-list.ts';
import { queryError } from './queries/query-error.ts';
import { shouldRetry } from './queries/retry-policy.ts';

export interface LiveListOptions<N extends ListEndpoint, R extends ListRow> {
  name: N;
  request: ApiRequest<N>;
  /** Turns a page into what is cached. `more` reads the page after a cursor. */
  read: (page: List<RowOf<N>>, more: (cursor: string) => Promise<List<RowOf<N>>>) => List<R> | Promise<List<R>>;
  /** Returns the time until the newest page is read again; false: not before the window is focused again. */
  poll: (rows: readonly R[]) => number | false;
  /** false: the filters are not known yet. The list is loading until they are. */
  isReady?: boolean | undefined;
}

/**
 * A list, newest first, page by page, that stays current. Only its newest page is read again: when the list opens, when
 * the window is focused, and at every poll. A list scrolled to its ten-thousandth row is thus never read as a whole.
 */
export function useLiveList<N extends ListEndpoint, R extends ListRow>(options: LiveListOptions<N, R>) {
  const { name, request, read, poll, isReady = true } = options;
  const client = useQueryClient();
  const queryKey = apiKey(name, request, 'live');
  const loadPage = async (cursor: string | null, signal: AbortSignal) =>
    read(await fetchPage(name, request, cursor, signal), (next) => fetchPage(name, request, next, signal));
  const list = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const newest = await loadPage(null, signal);
      const known = client.getQueryData<LiveList<R>>(queryKey);
      return mergeNewest(known, replaceEqualDeep(known?.newest, newest));
    },
    enabled: isReady,
    staleTime: 1000,
    // Evaluated after each response, whether it changed anything or not.
    refetchInterval: ({ state }) => poll(state.data?.rows ?? []),
    // Unchanged rows stay the same objects already. A deep comparison of thousands would find only that.
    structuralSharing: false,
    placeholderData: keepPreviousData,
  });
  const rows = list.data?.rows ?? NO_ROWS;
  const isComplete = list.isSuccess && !list.isPlaceholderData;
  const cursor = isComplete ? list.data.nextCursor : null;
  const [failure, setFailure] = useState<{ cursor: string; error: unknown } | null>(null);
  const moreFailed = failure !== null && failure.cursor === cursor;

  const latestRef = useLatest({ cursor, loadPage, queryKey });
  const loadMore = useCallback(() => {
    const { cursor: after, loadPage: load, queryKey: key } = latestRef.current;
    if (after === null) return;
    setFailure(null);
    // While the page is loading, a second call waits for the same response.
    const page = client.fetchQuery({
      queryKey: [key[0], key[1], 'page', after],
      queryFn: ({ signal }) => load(after, signal),
      retry: shouldRetry,
      staleTime: 0,
      gcTime: 0,
    });
    page.then(
      (next) =>
        client.setQueryData<LiveList<R>>(
          key,
          (known) => (known?.nextCursor === after ? appendPage(known, next) : known),
          { updatedAt: client.getQueryState(key)?.dataUpdatedAt },
        ),
      (error: unknown) => setFailure({ cursor: after, error }),
    );
  }, [client, latestRef]);
  // A page is empty where the service looked at enough rows without a match.
  const isSearching = cursor !== null && rows.length === 0 && !moreFailed;
  useEffect(() => {
    if (isSearching && cursor !== null) loadMore();
  }, [isSearching, cursor, loadMore]);
  const problem = queryError(list) ?? (moreFailed ? failure.error : null);
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
    hasMore,
    onNearEnd,
    /** The last page failed; `loadMore` tries it again. */
    moreFailed,
    loadMore,
    reload: () => void list.refetch(),
  };
}

const NO_ROWS: readonly never[] = [];
