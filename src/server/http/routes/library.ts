import { findChangeable, findVisible, scopeWork } from '#server/accounts/people/own-work.ts';
import type { Deps } from '#server/platform/deps.ts';
import { createArchive } from '#server/studio/library/archive/archive.ts';
import { addCollectionMedia, removeCollectionMedia } from '#server/studio/library/collections/change-items.ts';
import { listCollections, readCollection } from '#server/studio/library/collections/list-collections.ts';
import {
  createCollection,
  deleteCollection,
  updateCollection,
} from '#server/studio/library/collections/manage-collections.ts';
import { deleteMedia, restoreMedia } from '#server/studio/library/delete-media.ts';
import { changeLabels } from '#server/studio/library/labels/change-labels.ts';
import { listLabels } from '#server/studio/library/labels/read-labels.ts';
import { readLineage } from '#server/studio/library/lineage/read-lineage.ts';
import { listMedia } from '#server/studio/library/list-media.ts';
import { readMedia } from '#server/studio/library/read-media.ts';
import { renameMedia } from '#server/studio/library/rename-media.ts';
import { setFavourite } from '#server/studio/library/set-favourite.ts';
import { createShare } from '#server/studio/library/shares/create-share.ts';
import { listAnswers } from '#server/studio/library/shares/list-answers.ts';
import { listShares, revokeShare } from '#server/studio/library/shares/list-shares.ts';
import { readLogo, setLogo } from '#server/studio/library/shares/logo.ts';
import { updateShare } from '#server/studio/library/shares/update-share.ts';
import { completeList, type Handlers } from '#server/http/handler.ts';

/** Decision: Collections, Share pages */
export const libraryRoutes = (deps: Deps) =>
  ({
    list_media: ({ caller, query: { person_id, ...query } }) =>
      listMedia(deps, scopeWork(caller, person_id), query, scopeWork(caller, undefined)),

    get_media: ({ caller, params }) => readMedia(deps, caller.organization_id, params.media_id),

    rename_media: ({ caller, params, body }) => renameMedia(deps, caller.organization_id, params.media_id, body.name),

    get_media_lineage: ({ caller, params, query }) => readLineage(deps, caller.organization_id, params.media_id, query),

    add_favourite: ({ caller, params }) => setFavourite(deps, caller.organization_id, params.media_id, true),

    remove_favourite: ({ caller, params }) => setFavourite(deps, caller.organization_id, params.media_id, false),

    delete_media: async ({ caller, body }) =>
      deleteMedia(deps, caller, body, await findChangeable(deps, caller, body.ids)),

    restore_media: async ({ caller, body: { ids } }) =>
      restoreMedia(deps, caller, ids, await findChangeable(deps, caller, ids)),

    list_media_labels: async ({ caller, query }) =>
      completeList(await listLabels(deps.db, scopeWork(caller, undefined), query)),

    label_media: ({ caller, body }) => changeLabels(deps, caller, body),

    archive_media: async ({ caller, body: { ids } }) =>
      createArchive(deps, caller, ids, await findVisible(deps, caller, ids)),

    archive_bare_media: async ({ caller, body: { ids } }) =>
      createArchive(deps, caller, ids, await findVisible(deps, caller, ids), { is_bare: true }),

    list_collections: ({ caller, query }) => listCollections(deps, scopeWork(caller, undefined), query),

    create_collection: ({ caller, body }) => createCollection(deps, caller, body),

    get_collection: ({ caller, params }) => readCollection(deps, scopeWork(caller, undefined), params.collection_id),

    update_collection: ({ caller, params, body }) => updateCollection(deps, caller, params.collection_id, body),

    delete_collection: ({ caller, params }) => deleteCollection(deps, caller, params.collection_id),

    add_collection_media: ({ caller, params, body }) =>
      addCollectionMedia(deps, caller, params.collection_id, body.media_ids),

    remove_collection_media: ({ caller, params, body }) =>
      removeCollectionMedia(deps, caller, params.collection_id, body.media_ids),

    list_shares: ({ caller, query }) => listShares(deps, caller, query),

    list_share_answers: ({ caller, query }) => listAnswers(deps, caller, query),

    create_share: ({ caller, body }) => createShare(deps, caller, body),

    update_share: ({ caller, params, body }) => updateShare(deps, caller, params.share_id, body),

    revoke_share: ({ caller, params }) => revokeShare(deps, caller, params.share_id),

    get_logo: ({ caller }) => readLogo(deps, caller.organization_id),

    set_logo: ({ caller, body }) => setLogo(deps, caller, body),
  }) satisfies Handlers;
