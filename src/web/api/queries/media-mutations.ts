import type { QueryClient } from '@tanstack/react-query';
import { MAX_LABEL_MEDIA } from '#contract/limits.ts';
import type { MediaDeletion } from '#contract/resources/media.ts';
import { api } from '../api.ts';
import { apiMutation, hasData, invalidate } from '../api-query.ts';
import { updateCachedAssets } from './generations.ts';
import { isOfTrash, mediaQuery, removeCachedMedia, updateCachedMedia } from './media.ts';
import { GENERATION_READS, MEDIA_LISTS } from './stale-endpoints.ts';

/** Limit of the service per request. */
const DELETE_BATCH_SIZE = 500;
/** Limit of the service per archive. */
export const MAX_ARCHIVE_FILES = 2_000;

const inBatches = (ids: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size));

interface Deletion {
  ids: readonly string[];
  /** Else the files are deleted for good. */
  toTrash: boolean;
}

/** Deletes items. Safe to retry: items that are gone already are reported as not found. */
export const useDeleteMedia = apiMutation(
  async ({ ids, toTrash }: Deletion): Promise<MediaDeletion> => {
    const sum: MediaDeletion = { object: 'media_deletion', dry_run: false, deleted: [], kept: [], size_bytes: 0 };
    for (const batch of inBatches(ids, DELETE_BATCH_SIZE)) {
      const part = await api.call('delete_media', { body: { ids: batch, to_trash: toTrash } });
      sum.deleted.push(...part.deleted);
      sum.kept.push(...part.kept);
      sum.size_bytes += part.size_bytes;
    }
    return sum;
  },
  {
    onSuccess: ({ deleted, kept }, _deletion, _result, { client }) => {
      // Items appear there in the order of their creation, maybe far from the first page.
      client.removeQueries({ predicate: isOfTrash, type: 'inactive' });
      const gone = [...deleted, ...kept.filter(({ reason }) => reason === 'not_found')];
      const goneIds = new Set(gone.map(({ id }) => id));
      removeCachedMedia(client, goneIds);
      updateCachedAssets(client, goneIds, { removed_at: new Date().toISOString() });
    },
    // Which items were deleted before the error is unknown.
    onError: (_error, _deletion, _result, { client }) => void client.resetQueries({ queryKey: MEDIA_LISTS }),
    onSettled: (_sum, _error, _deletion, _result, { client }) =>
      void invalidate(client, MEDIA_LISTS, 'list_collections', ...GENERATION_READS),
  },
);

/** Restores items from the trash. Returns the ids of those that were there. */
export const useRestoreMedia = apiMutation(
  async (ids: readonly string[]) => {
    const restoredIds: string[] = [];
    for (const batch of inBatches(ids, DELETE_BATCH_SIZE)) {
      restoredIds.push(...(await api.call('restore_media', { body: { ids: batch } })).restored_ids);
    }
    return restoredIds;
  },
  {
    onSuccess: (restoredIds, _ids, _result, { client }) =>
      updateCachedAssets(client, new Set(restoredIds), { removed_at: null }),
    onSettled: (_data, _error, _ids, _result, { client }) => {
      void client.resetQueries({ queryKey: MEDIA_LISTS });
      void invalidate(
        client,
        ...(['list_media', 'get_media', 'get_media_lineage', 'list_media_labels', 'list_collections'] as const),
        ...GENERATION_READS,
      );
    },
  },
);

interface ArchiveRequest {
  ids: string[];
  /** Without content credentials. */
  isBare: boolean;
}

export const useArchiveMedia = apiMutation(
  ({ ids, isBare }: ArchiveRequest) => api.call(isBare ? 'archive_bare_media' : 'archive_media', { body: { ids } }),
  { gcTime: 0 },
);

function cacheFavourite(client: QueryClient, id: string, favourite: boolean): void {
  const ids = new Set([id]);
  updateCachedMedia(client, ids, (item) => ({ ...item, favourite }));
  updateCachedAssets(client, ids, { favourite });
}

/** Stars an item or removes the star. The cache shows it at once and is restored where the service refuses. */
export const useSetFavourite = apiMutation(
  ({ id, favourite }: { id: string; favourite: boolean }) =>
    api.call(favourite ? 'add_favourite' : 'remove_favourite', { params: { media_id: id } }),
  {
    onMutate: async ({ id, favourite }, { client }) => {
      // A response to an earlier request must not restore the previous state.
      await client.cancelQueries({ queryKey: MEDIA_LISTS, predicate: hasData });
      await client.cancelQueries({ queryKey: mediaQuery(id).queryKey });
      cacheFavourite(client, id, favourite);
    },
    onError: (_error, { id, favourite }, _result, { client }) => cacheFavourite(client, id, !favourite),
    onSettled: (_data, _error, _change, _result, { client }) => {
      if (client.isMutating() <= 1) void invalidate(client, MEDIA_LISTS);
    },
  },
);

/** Renames an item and shows the name where it is cached. */
export const useRenameMedia = apiMutation(
  ({ id, name }: { id: string; name: string }) =>
    api.call('rename_media', { params: { media_id: id }, body: { name } }),
  {
    onSuccess: ({ id, name: saved, filename }, _request, _result, { client }) => {
      const ids = new Set([id]);
      const name = saved ?? null;
      updateCachedMedia(client, ids, (item) => ({ ...item, name, filename }));
      updateCachedAssets(client, ids, { name });
    },
    onSettled: (_data, _error, _request, _result, { client }) => void invalidate(client, MEDIA_LISTS),
  },
);

interface LabelsChange {
  mediaIds: readonly string[];
  add?: string[];
  remove?: string[];
}

/** Adds labels to items and removes others. The cache shows them before it is read again. */
export const useChangeLabels = apiMutation(
  async ({ mediaIds, add = [], remove = [] }: LabelsChange) => {
    const labels = new Map<string, string[]>();
    for (const media_ids of inBatches(mediaIds, MAX_LABEL_MEDIA)) {
      const { media } = await api.call('label_media', { body: { media_ids, add, remove } });
      for (const { id, labels: own } of media) labels.set(id, own);
    }
    return labels;
  },
  {
    onSuccess: (labels, _change, _result, { client }) =>
      updateCachedMedia(client, new Set(labels.keys()), (item) => ({
        ...item,
        labels: labels.get(item.id) ?? item.labels,
      })),
    onSettled: (_labels, _error, _change, _result, { client }) =>
      void invalidate(client, MEDIA_LISTS, 'list_media_labels'),
  },
);

interface SavePostRequest {
  generationId: string;
  postId: string;
}

/** Stores the pictures of a found post in the library. Saving it again returns the same files. */
export const useSavePost = apiMutation(
  ({ generationId, postId }: SavePostRequest) =>
    api.call('save_post', { params: { generation_id: generationId }, body: { post_id: postId } }),
  { onSuccess: (_data, _request, _result, { client }) => void invalidate(client, MEDIA_LISTS) },
);
