import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { List } from '#contract/primitives.ts';
import type { MediaDeletion, MediaDetail, MediaItem } from '#contract/resources/media.ts';
import { api } from '../api.ts';
import { cacheServiceOrigin } from '../reference-info.ts';
import type { LiveList } from './live-list.ts';
import { awaitsDerivatives } from './derivatives.ts';
import { type EndpointFilters, queryKeys } from './query-keys.ts';
import { useLiveList } from './use-live-list.ts';

export type MediaFilters = EndpointFilters<'list_media'>;

const PAGE_SIZE = 100;
/** `coming` applies while a new item has no derivatives yet. */
const POLL_MS = { coming: 2_500, quiet: 30_000 };
/** Limit of the service per request. */
const DELETE_BATCH_SIZE = 500;
/** Limit of the service per archive. */
export const MAX_ARCHIVE_FILES = 2_000;

/**
 * Uploads and assets that match, newest first. An addition (see `isMissingFeature`).
 * @param filters pass the same object while the filters are the same
 * @param is_ready false: the filters are not known yet
 */
export function useMediaList(filters: MediaFilters, is_ready?: boolean) {
  const listKey = useMemo(() => queryKeys.media.list(filters), [filters]);
  const headKey = useMemo(() => queryKeys.media.head(filters), [filters]);
  return useLiveList<MediaItem>({
    listKey,
    headKey,
    is_ready,
    loadPage: async (cursor, signal) => {
      const query = { ...filters, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) };
      const page = await api.call('list_media', { query, signal });
      if (page.data[0]) cacheServiceOrigin(page.data[0].url);
      return page;
    },
    poll_ms: (rows) => {
      const now_ms = Date.now();
      return rows.slice(0, PAGE_SIZE).some((row) => awaitsDerivatives(row, now_ms)) ? POLL_MS.coming : POLL_MS.quiet;
    },
  });
}

export const lineageQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.media.lineage(id),
    queryFn: ({ signal }) => api.call('get_media_lineage', { params: { media_id: id }, signal }),
  });

/** A dry run: what deleting these items would delete and keep. */
export const deletionQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: queryKeys.media.deletion(ids),
    queryFn: ({ signal }) => deleteInBatches(ids, true, signal),
    staleTime: 0,
    gcTime: 0,
  });

export function useDeleteMedia() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) => deleteInBatches(ids, false),
    // Safe to retry: items that are gone already are reported as not found.
    onSuccess: ({ deleted, kept }) => {
      const gone = [...deleted, ...kept.filter(({ reason }) => reason === 'not_found')];
      removeCachedMedia(client, new Set(gone.map(({ id }) => id)));
    },
    // Which items were deleted before the error is unknown.
    onError: () => void client.resetQueries({ queryKey: queryKeys.media.lists }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeys.media.heads });
      void client.invalidateQueries({ queryKey: queryKeys.uploads.all });
      void client.invalidateQueries({ queryKey: queryKeys.generations.all });
    },
  });
}

async function deleteInBatches(ids: readonly string[], dry_run: boolean, signal?: AbortSignal): Promise<MediaDeletion> {
  const sum: MediaDeletion = { object: 'media_deletion', dry_run, deleted: [], kept: [], size_bytes: 0 };
  for (let at = 0; at < ids.length; at += DELETE_BATCH_SIZE) {
    const body = { ids: ids.slice(at, at + DELETE_BATCH_SIZE), dry_run };
    const part = await api.call('delete_media', { body, ...(signal ? { signal } : {}) });
    sum.deleted.push(...part.deleted);
    sum.kept.push(...part.kept);
    sum.size_bytes += part.size_bytes;
  }
  return sum;
}

export function useArchiveMedia() {
  return useMutation({
    mutationFn: (ids: readonly string[]) => api.call('archive_media', { body: { ids: [...ids] } }),
    gcTime: 0,
  });
}

/** Stars an item or removes the star. The cache shows it at once and is restored where the service refuses. */
export function useSetFavourite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, favourite }: { id: string; favourite: boolean }) =>
      api.call(favourite ? 'add_favourite' : 'remove_favourite', { params: { media_id: id } }),
    onMutate: async ({ id, favourite }) => {
      // A response to an earlier request must not restore the previous state.
      await client.cancelQueries({ queryKey: queryKeys.media.heads });
      await client.cancelQueries({ queryKey: queryKeys.media.detail(id) });
      cacheFavourite(client, id, favourite);
    },
    onError: (_error, { id, favourite }) => cacheFavourite(client, id, !favourite),
    onSettled: () => {
      if (client.isMutating() > 1) return;
      void client.invalidateQueries({ queryKey: queryKeys.media.heads });
    },
  });
}

function cacheFavourite(client: QueryClient, id: string, favourite: boolean): void {
  updateCachedRows(client, (rows) =>
    rows.some((row) => row.id === id) ? rows.map((row) => (row.id === id ? { ...row, favourite } : row)) : rows,
  );
  client.setQueryData<MediaDetail>(queryKeys.media.detail(id), (known) => known && { ...known, favourite });
}

function removeCachedMedia(client: QueryClient, ids: ReadonlySet<string>): void {
  updateCachedRows(client, (rows) =>
    rows.some(({ id }) => ids.has(id)) ? rows.filter(({ id }) => !ids.has(id)) : rows,
  );
  for (const id of ids) client.removeQueries({ queryKey: queryKeys.media.detail(id) });
  void client.invalidateQueries({ queryKey: [...queryKeys.media.all, 'lineage'] });
}

function updateCachedRows(client: QueryClient, change: (rows: MediaItem[]) => MediaItem[]): void {
  const changed = <P extends List<MediaItem>>(page: P): P => {
    const data = change(page.data);
    return data === page.data ? page : { ...page, data };
  };
  client.setQueriesData<LiveList<MediaItem>>(
    { queryKey: queryKeys.media.lists },
    (list) => list && { ...list, pages: list.pages.map(changed) },
  );
  client.setQueriesData<List<MediaItem>>({ queryKey: queryKeys.media.heads }, (head) => head && changed(head));
}
