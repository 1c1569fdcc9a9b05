import { useInfiniteQuery } from '@tanstack/react-query';
import type { Asset } from '#contract/resources/generation.ts';
import type { Upload } from '#contract/resources/upload.ts';
import type { MediaKind } from '#contract/task.ts';
import { isMissingFeature } from '#web/api-errors.ts';
import { generationsQuery } from '#web/queries/generations.ts';
import { uploadsQuery } from '#web/queries/uploads.ts';

/** Media to choose from, as far as they were loaded. */
export interface Shelf {
  media: readonly (Asset | Upload)[];
  state: 'loading' | 'ready' | 'failed';
  /** The service has no such list. */
  missing: boolean;
  has_more: boolean;
  loading_more: boolean;
  loadMore: () => void;
  again: () => void;
}

interface Listing {
  status: 'pending' | 'success' | 'error';
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

const shelfOf = (query: Listing, media: Shelf['media']): Shelf => ({
  media,
  state: query.status === 'pending' ? 'loading' : query.status === 'error' && media.length === 0 ? 'failed' : 'ready',
  missing: isMissingFeature(query.error),
  has_more: query.hasNextPage,
  loading_more: query.isFetchingNextPage,
  loadMore: () => void query.fetchNextPage(),
  again: () => void query.refetch(),
});

/** What earlier generations made, newest first. */
export function useEarlierResults(media: MediaKind): Shelf {
  const query = useInfiniteQuery(generationsQuery({ status: 'succeeded' }));
  const assets = (query.data?.pages ?? []).flatMap(({ data }) =>
    data.flatMap(({ output }) => output.assets.filter(({ type }) => type === media)),
  );
  return shelfOf(query, assets);
}

/** What was uploaded, newest first. */
export function useUploads(media: MediaKind): Shelf {
  const query = useInfiniteQuery(uploadsQuery({ type: media }));
  return shelfOf(
    query,
    (query.data?.pages ?? []).flatMap(({ data }) => data),
  );
}
