import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { List } from '#contract/primitives.ts';
import type { MediaDeletion, MediaDetail, MediaItem } from '#contract/resources/media.ts';
import { api } from '../api.ts';
import { cacheServiceOrigin } from '../reference-info.ts';
import type { LiveList } from './live-list.ts';
import { type EndpointFilters, queryKeys } from './query-keys.ts';
import { useLiveList } from './use-live-list.ts';

export type MediaFilters = EndpointFilters<'list_media'>;

const PAGE_SIZE = 100;
/** While small copies are being made of something new, and else. */
const POLL_MS = { coming: 2_500, quiet: 30_000 };
/** After that long, small copies that are not there are not waited for. */
const DERIVATIVES_WAIT_MS = 60_000;
/** The service deletes so many at once. */
const DELETE_BATCH_SIZE = 500;
/** The service packs so many into one archive. */
export const MAX_ARCHIVE_FILES = 2_000;

const awaitsDerivatives = ({ derivatives, created_at }: MediaItem, now_ms: number) =>
  derivatives === null && now_ms - Date.parse(created_at) < DERIVATIVES_WAIT_MS;

/**
 * Everything that was uploaded or made and matches, newest first. An addition: a service may lack it (see `isMissingFeature`).
 * @param filters the same object as long as they are the same
 */
export function useMediaList(filters: MediaFilters) {
  const listKey = useMemo(() => queryKeys.media.list(filters), [filters]);
  const headKey = useMemo(() => queryKeys.media.head(filters), [filters]);
  return useLiveList<MediaItem>({
    listKey,
    headKey,
    read: async (cursor, signal) => {
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

/** What a medium was made from, and what was made of it. */
export const lineageQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.media.lineage(id),
    queryFn: ({ signal }) => api.call('get_media_lineage', { params: { media_id: id }, signal }),
  });

/** What would become of media if they were deleted. Nothing is. */
export const deletionQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: queryKeys.media.deletion(ids),
    queryFn: ({ signal }) => deleteInBatches(ids, true, signal),
    staleTime: 0,
    gcTime: 0,
  });

/** Deletes media for good; tells which were kept, and why. */
export function useDeleteMedia() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (ids: readonly string[]) => deleteInBatches(ids, false),
    // Sent again, it finds gone what it deleted before.
    onSuccess: ({ deleted, kept }) => {
      const gone = [...deleted, ...kept.filter(({ reason }) => reason === 'not_found')];
      removeCachedMedia(client, new Set(gone.map(({ id }) => id)));
    },
    // What was deleted before it failed is not known.
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

/** Gets a link to a ZIP of media. */
export function useArchiveMedia() {
  return useMutation({
    mutationFn: (ids: readonly string[]) => api.call('archive_media', { body: { ids: [...ids] } }),
    gcTime: 0,
  });
}

/** Makes a medium a favourite or no longer one: shown at once, and as it was where the service refuses. */
export function useSetFavourite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, favourite }: { id: string; favourite: boolean }) =>
      api.call(favourite ? 'add_favourite' : 'remove_favourite', { params: { media_id: id } }),
    onMutate: async ({ id, favourite }) => {
      // An answer that was asked for before must not show the old state once more.
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

/** Takes media out of every list. */
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
