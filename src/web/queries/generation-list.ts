import { keepPreviousData, useInfiniteQuery, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { isActive } from '#contract/generation-status.ts';
import {
  type GenerationFilters,
  generationQuery,
  generationsHeadQuery,
  generationsQuery,
} from '#web/queries/generations.ts';
import { type LiveList, mergeHead, replaceRow, rowsOf } from '#web/queries/live-list.ts';
import { queryKeys } from '#web/queries/query-keys.ts';

/** Rows under way that are older than the newest page are read one by one: so many at once, so often. */
const STRAGGLERS = { most: 8, poll_ms: 5000 };

/**
 * A list of generations that stays true while it is looked at: the newest page is polled while anything moves and the tab is
 * visible, and woven into what was scrolled to. `rows` holds everything loaded so far, newest first.
 * @param filters the same object as long as they are the same
 */
export function useGenerationList(filters: GenerationFilters) {
  const client = useQueryClient();
  const options = generationsQuery(filters);
  const list = useInfiniteQuery({ ...options, placeholderData: keepPreviousData });
  const rows = useMemo(() => rowsOf(list.data?.pages ?? []), [list.data]);
  const moving = useMemo(() => rows.filter(({ status }) => isActive(status)).map(({ id }) => id), [rows]);
  const ready = list.isSuccess && !list.isPlaceholderData;
  const first = ready ? list.data.pages[0] : undefined;

  useEffect(() => {
    // Declared before the query below, so that it starts with what has just been read instead of asking again.
    const key = queryKeys.generations.head(filters);
    if (first && client.getQueryData(key) === undefined) client.setQueryData(key, first);
  }, [client, filters, first]);

  const head = useQuery({ ...generationsHeadQuery(filters, { moving: moving.length > 0 }), enabled: ready });
  const stragglers = useQueries({
    queries: moving
      .filter((id) => head.data && !head.data.data.some((row) => row.id === id))
      .slice(-STRAGGLERS.most)
      .map((id) => ({ ...generationQuery(id), refetchInterval: STRAGGLERS.poll_ms })),
    combine: (results) => results.flatMap(({ data }) => data ?? []),
  });

  useEffect(() => {
    const change = (list: LiveList | undefined) => {
      if (!list) return list;
      const merged = head.data ? mergeHead(list, head.data) : list;
      return stragglers.reduce(replaceRow, merged);
    };
    if (ready) client.setQueryData<LiveList>(queryKeys.generations.list(filters), change);
  }, [client, filters, ready, head.data, stragglers]);

  const movingIds = moving.join();
  const known = useRef(movingIds);
  useEffect(() => {
    if (known.current === movingIds) return;
    known.current = movingIds;
    // Something started or ended: funds moved with it.
    void client.invalidateQueries({ queryKey: queryKeys.billing.all });
  }, [client, movingIds]);

  return {
    rows,
    isLoading: list.isPending,
    /** The rows still belong to the filters before. */
    isStale: list.isPlaceholderData,
    error: list.error ?? head.error,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    /** The last page could not be read; `loadMore` tries again. */
    moreFailed: list.isFetchNextPageError,
    loadMore: () => {
      if (!list.isFetchingNextPage) void list.fetchNextPage();
    },
    reload: () => void (list.isError ? list.refetch() : head.refetch()),
  };
}
