import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Asset } from '#contract/resources/generation.ts';
import type { MediaItem } from '#contract/resources/media.ts';
import type { MediaKind } from '#contract/task.ts';
import { isMissingFeature, queryError } from '#web/api/api-errors.ts';
import { generationsQuery } from '#web/api/queries/generations.ts';
import { useMediaList } from '#web/api/queries/media.ts';

export type SelectableMedia = MediaItem | Asset;

export interface MediaPickerList {
  rows: readonly SelectableMedia[];
  isLoading: boolean;
  isStale: boolean;
  problem: unknown;
  hasMore: boolean;
  moreFailed: boolean;
  onNearEnd: () => void;
  loadMore: () => void;
  reload: () => void;
}

export interface MediaPickerFilters {
  q: string;
  origin: MediaItem['origin'] | 'all';
  starred: boolean;
}

export function useLibrary(
  media: MediaKind,
  { q, origin, starred }: MediaPickerFilters,
): MediaPickerList & { isUnsupported: boolean } {
  const filters = useMemo(
    () => ({
      type: media,
      ...(q ? { q } : {}),
      ...(origin === 'all' ? {} : { origin }),
      ...(starred ? { favourite: 'true' as const } : {}),
    }),
    [media, q, origin, starred],
  );
  const list = useMediaList(filters);
  return { ...list, isUnsupported: list.rows.length === 0 && isMissingFeature(list.problem) };
}

/** Outputs of generations, for a service without a library. */
export function useGeneratedMedia(media: MediaKind): MediaPickerList {
  const query = useInfiniteQuery(generationsQuery({ status: 'succeeded' }));
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const rows = useMemo(
    () =>
      (data?.pages ?? [])
        .flatMap((page) => page.data)
        .flatMap(({ output }) => output.assets.filter(({ type, removed_at }) => type === media && !removed_at)),
    [data, media],
  );
  const problem = queryError(query);
  const hasMore = hasNextPage && !isFetchNextPageError;
  const loadMore = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [isFetchingNextPage, fetchNextPage]);
  return {
    rows,
    isLoading: query.isPending && problem === null,
    isStale: false,
    problem,
    hasMore,
    moreFailed: isFetchNextPageError,
    onNearEnd: useCallback(() => {
      if (hasMore) loadMore();
    }, [hasMore, loadMore]),
    loadMore,
    reload: () => void query.refetch(),
  };
}
