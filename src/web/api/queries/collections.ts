import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { MAX_COLLECTION_CHANGE, MAX_COLLECTIONS } from '#contract/limits.ts';
import type { BodyInput } from '#contract/endpoints.ts';
import type { Collection } from '#contract/resources/collection.ts';
import { api } from '../api.ts';
import { isMissingFeature } from '../api-errors.ts';
import { cacheServiceOrigin } from '../reference-info.ts';
import { removeCachedItems } from './media.ts';
import { queryKeys } from './query-keys.ts';

const compareNames = new Intl.Collator(undefined, { numeric: true }).compare;

/** All collections by name; null where the service has none. An addition (see `isMissingFeature`). */
export const collectionsQuery = queryOptions({
  queryKey: queryKeys.collections.list,
  queryFn: async ({ signal }): Promise<Collection[] | null> => {
    try {
      const { data } = await api.call('list_collections', { query: { limit: MAX_COLLECTIONS }, signal });
      const cover = data.find((collection) => collection.cover)?.cover;
      if (cover) cacheServiceOrigin(cover.url);
      return data.toSorted((a, b) => compareNames(a.name, b.name));
    } catch (error) {
      if (isMissingFeature(error)) return null;
      throw error;
    }
  },
  staleTime: 15_000,
});

/** The collections that an item is in. */
export const collectionsOfQuery = (media_id: string) =>
  queryOptions({
    queryKey: queryKeys.collections.of(media_id),
    queryFn: async ({ signal }) =>
      (await api.call('list_collections', { query: { limit: MAX_COLLECTIONS, media_id }, signal })).data,
  });

/** Reads the collections again after a change. */
function useInvalidateCollections() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: queryKeys.collections.all });
}

export function useCreateCollection() {
  const onSettled = useInvalidateCollections();
  return useMutation({
    mutationFn: (body: BodyInput<'create_collection'>) => api.call('create_collection', { body }),
    onSettled,
  });
}

export function useUpdateCollection() {
  const onSettled = useInvalidateCollections();
  return useMutation({
    mutationFn: ({ id, ...body }: BodyInput<'update_collection'> & { id: string }) =>
      api.call('update_collection', { params: { collection_id: id }, body }),
    onSettled,
  });
}

export function useDeleteCollection() {
  const onSettled = useInvalidateCollections();
  return useMutation({
    mutationFn: (id: string) => api.call('delete_collection', { params: { collection_id: id } }),
    onSettled,
  });
}

interface ItemsChange {
  id: string;
  action: 'add' | 'remove';
  media_ids: readonly string[];
}

/** Adds items to a collection or removes them. @returns the ids that changed */
export function useChangeCollectionItems() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, action, media_ids }: ItemsChange) => {
      const changed_ids: string[] = [];
      // The last batch first, so that the first item is shown first.
      for (let end = media_ids.length; end > 0; end -= MAX_COLLECTION_CHANGE) {
        const body = { media_ids: media_ids.slice(Math.max(0, end - MAX_COLLECTION_CHANGE), end) };
        const name = action === 'add' ? 'add_collection_media' : 'remove_collection_media';
        changed_ids.push(...(await api.call(name, { params: { collection_id: id }, body })).changed_ids);
      }
      return changed_ids;
    },
    onSuccess: (changed_ids, { id, action }) => {
      if (action === 'remove') removeCachedItems(client, id, new Set(changed_ids));
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeys.collections.all });
      void client.invalidateQueries({ queryKey: queryKeys.media.heads });
    },
  });
}
