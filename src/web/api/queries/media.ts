import { type Query, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { List } from '#contract/primitives.ts';
import type { MediaDeletion, MediaDetail, MediaItem } from '#contract/resources/media.ts';
import { api } from '../api.ts';
import { updateCachedAssets } from './cached-assets.ts';
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

export function useDeleteMedia() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: deleteInBatches,
    // Safe to retry: items that are gone already are reported as not found.
    onSuccess: ({ deleted, kept }) => {
      // Items appear there in the order of their creation, maybe far from the first page.
      client.removeQueries({ predicate: isOfTrash, type: 'inactive' });
      const gone = [...deleted, ...kept.filter(({ reason }) => reason === 'not_found')];
      const gone_ids = new Set(gone.map(({ id }) => id));
      removeCachedMedia(client, gone_ids);
      updateCachedAssets(client, gone_ids, { removed_at: new Date().toISOString() });
    },
    // Which items were deleted before the error is unknown.
    onError: () => void client.resetQueries({ queryKey: queryKeys.media.lists }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeys.media.heads });
      void client.invalidateQueries({ queryKey: queryKeys.collections.all });
      void client.invalidateQueries({ queryKey: queryKeys.uploads.all });
      void client.invalidateQueries({ predicate: isGenerationsButLists });
    },
  });
}

interface Deletion {
  ids: readonly string[];
  /** Else the files are deleted for good. */
  to_trash: boolean;
}

async function deleteInBatches({ ids, to_trash }: Deletion): Promise<MediaDeletion> {
  const sum: MediaDeletion = { object: 'media_deletion', dry_run: false, deleted: [], kept: [], size_bytes: 0 };
  for (const batch of inBatches(ids)) {
    const part = await api.call('delete_media', { body: { ids: batch, to_trash } });
    sum.deleted.push(...part.deleted);
    sum.kept.push(...part.kept);
    sum.size_bytes += part.size_bytes;
  }
  return sum;
}

const inBatches = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / DELETE_BATCH_SIZE) }, (_, at) =>
    ids.slice(at * DELETE_BATCH_SIZE, (at + 1) * DELETE_BATCH_SIZE),
  );

/** The pages of lists are many; `updateCachedAssets` changes their rows. */
const isGenerationsButLists = ({ queryKey: [root, kind] }: Pick<Query, 'queryKey'>): boolean =>
  root === queryKeys.generations.all[0] && kind !== queryKeys.generations.lists[1];

const isOfTrash = ({ queryKey }: Pick<Query, 'queryKey'>): boolean =>
  queryKey[0] === queryKeys.media.all[0] &&
  queryKey.some((part) => typeof part === 'object' && part !== null && 'in_trash' in part);

/** Restores items from the trash. @returns the ids of those that were there */
export function useRestoreMedia() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      const restored_ids: string[] = [];
      for (const batch of inBatches(ids)) {
        restored_ids.push(...(await api.call('restore_media', { body: { ids: batch } })).restored_ids);
      }
      return restored_ids;
    },
    onSuccess: (restored_ids) => updateCachedAssets(client, new Set(restored_ids), { removed_at: null }),
    onSettled: () => {
      void client.resetQueries({ queryKey: queryKeys.media.lists });
      void client.invalidateQueries({ queryKey: queryKeys.media.all });
      void client.invalidateQueries({ queryKey: queryKeys.collections.all });
      void client.invalidateQueries({ queryKey: queryKeys.uploads.all });
      void client.invalidateQueries({ predicate: isGenerationsButLists });
    },
  });
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
  updateCachedAssets(client, new Set([id]), { favourite });
}

/** Renames an item and shows the name where it is cached. */
export function useRenameMedia() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      api.call('rename_media', { params: { media_id: id }, body: { name } }),
    onSuccess: ({ id, name, filename }) => {
      const renamed = { name: name ?? null, filename };
      updateCachedRows(client, (rows) =>
        rows.some((row) => row.id === id) ? rows.map((row) => (row.id === id ? { ...row, ...renamed } : row)) : rows,
      );
      client.setQueryData<MediaDetail>(queryKeys.media.detail(id), (known) => known && { ...known, ...renamed });
      updateCachedAssets(client, new Set([id]), { name: renamed.name });
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeys.media.heads });
      void client.invalidateQueries({ queryKey: queryKeys.uploads.all });
    },
  });
}

/** Shows new labels of items at once. */
export function cacheLabels(client: QueryClient, labels: ReadonlyMap<string, string[]>): void {
  const withLabels = <M extends MediaItem>(row: M): M => {
    const own = labels.get(row.id);
    return own ? { ...row, labels: own } : row;
  };
  updateCachedRows(client, (rows) => (rows.some(({ id }) => labels.has(id)) ? rows.map(withLabels) : rows));
  for (const id of labels.keys())
    client.setQueryData<MediaDetail>(queryKeys.media.detail(id), (known) => known && withLabels(known));
}

function removeCachedMedia(client: QueryClient, ids: ReadonlySet<string>): void {
  updateCachedRows(client, (rows) =>
    rows.some(({ id }) => ids.has(id)) ? rows.filter(({ id }) => !ids.has(id)) : rows,
  );
  for (const id of ids) client.removeQueries({ queryKey: queryKeys.media.detail(id) });
  void client.invalidateQueries({ queryKey: [...queryKeys.media.all, 'lineage'] });
}

/** Removes items from the cached lists of a collection. */
export function removeCachedItems(client: QueryClient, collection_id: string, ids: ReadonlySet<string>): void {
  const isOfCollection = ({ queryKey }: Pick<Query, 'queryKey'>): boolean =>
    queryKey.some(
      (part) =>
        typeof part === 'object' && part !== null && 'collection_id' in part && part.collection_id === collection_id,
    );
  updateCachedRows(client, (rows) => rows.filter(({ id }) => !ids.has(id)), isOfCollection);
}

function updateCachedRows(
  client: QueryClient,
  change: (rows: MediaItem[]) => MediaItem[],
  predicate: (query: Pick<Query, 'queryKey'>) => boolean = () => true,
): void {
  const changed = <P extends List<MediaItem>>(page: P): P => {
    const data = change(page.data);
    return data === page.data ? page : { ...page, data };
  };
  client.setQueriesData<LiveList<MediaItem>>(
    { queryKey: queryKeys.media.lists, predicate },
    (list) => list && { ...list, pages: list.pages.map(changed) },
  );
  client.setQueriesData<List<MediaItem>>(
    { queryKey: queryKeys.media.heads, predicate },
    (head) => head && changed(head),
  );
}
