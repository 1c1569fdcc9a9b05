import { MAX_COLLECTION_CHANGE, MAX_COLLECTIONS } from '#contract/limits.ts';
import type { BodyInput } from '#contract/api/endpoints.ts';
import { api } from '../api.ts';
import { apiMutation, apiQuery, invalidate } from '../api-query.ts';
import { cacheServiceOrigin } from '../reference-info.ts';
import { removeCachedItems } from './media.ts';
import { MEDIA_LISTS } from './stale-endpoints.ts';

const compareNames = new Intl.Collator(undefined, { numeric: true }).compare;

/** All collections by name. */
export const collectionsQuery = apiQuery(
  'list_collections',
  { query: { limit: MAX_COLLECTIONS } },
  {
    read: ({ data }) => {
      const cover = data.find((collection) => collection.cover)?.cover;
      if (cover) cacheServiceOrigin(cover.url);
      return data.toSorted((a, b) => compareNames(a.name, b.name));
    },
    staleTime: 15_000,
  },
);

/** The collections that an item is in. */
export const collectionsOfQuery = (mediaId: string) =>
  apiQuery('list_collections', { query: { limit: MAX_COLLECTIONS, media_id: mediaId } }, { read: ({ data }) => data });

export const useCreateCollection = apiMutation(
  (body: BodyInput<'create_collection'>) => api.call('create_collection', { body }),
  { stale: ['list_collections'] },
);

export const useUpdateCollection = apiMutation(
  ({ id, ...body }: BodyInput<'update_collection'> & { id: string }) =>
    api.call('update_collection', { params: { collection_id: id }, body }),
  { stale: ['list_collections'] },
);

export const useDeleteCollection = apiMutation(
  (id: string) => api.call('delete_collection', { params: { collection_id: id } }),
  { stale: ['list_collections'] },
);

interface ItemsChange {
  id: string;
  action: 'add' | 'remove';
  mediaIds: readonly string[];
}

/** Adds items to a collection or removes them. Returns the ids that changed. */
export const useChangeCollectionItems = apiMutation(
  async ({ id, action, mediaIds }: ItemsChange) => {
    const changedIds: string[] = [];
    // The last batch first, so that the first item is shown first.
    for (let end = mediaIds.length; end > 0; end -= MAX_COLLECTION_CHANGE) {
      const body = { media_ids: mediaIds.slice(Math.max(0, end - MAX_COLLECTION_CHANGE), end) };
      const name = action === 'add' ? 'add_collection_media' : 'remove_collection_media';
      changedIds.push(...(await api.call(name, { params: { collection_id: id }, body })).changed_ids);
    }
    return changedIds;
  },
  {
    onSuccess: (changedIds, { id, action }, _result, { client }) => {
      if (action === 'remove') removeCachedItems(client, id, new Set(changedIds));
    },
    onSettled: (_ids, _error, _change, _result, { client }) => void invalidate(client, 'list_collections', MEDIA_LISTS),
  },
);
