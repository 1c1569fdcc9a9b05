import type { Deps } from '#server/platform/deps.ts';
import { addCollectionMedia, removeCollectionMedia } from '#server/studio/library/collections/change-items.ts';
import { listCollections, readCollection } from '#server/studio/library/collections/list-collections.ts';
import {
  createCollection,
  deleteCollection,
  updateCollection,
} from '#server/studio/library/collections/manage-collections.ts';
import { scopeWork } from '#server/accounts/people/own-work.ts';
import type { Handlers } from '#server/http/handler.ts';

/** Decision: Collections */
export const collectionRoutes = (deps: Deps) =>
  ({
    list_collections: ({ caller, query }) => listCollections(deps, scopeWork(caller, undefined), query),

    create_collection: ({ caller, body }) => createCollection(deps, caller, body),

    get_collection: ({ caller, params }) => readCollection(deps, scopeWork(caller, undefined), params.collection_id),

    update_collection: ({ caller, params, body }) => updateCollection(deps, caller, params.collection_id, body),

    async delete_collection({ caller, params }) {
      await deleteCollection(deps, caller, params.collection_id);
      return undefined;
    },

    add_collection_media: ({ caller, params, body }) =>
      addCollectionMedia(deps, caller, params.collection_id, body.media_ids),

    remove_collection_media: ({ caller, params, body }) =>
      removeCollectionMedia(deps, caller, params.collection_id, body.media_ids),
  }) satisfies Handlers;
