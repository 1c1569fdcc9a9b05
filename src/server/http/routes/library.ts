import { createArchive } from '#server/studio/library/archive/archive.ts';
import { deleteMedia, restoreMedia } from '#server/studio/library/delete-media.ts';
import { changeLabels } from '#server/studio/library/labels/change-labels.ts';
import { listLabels } from '#server/studio/library/labels/read-labels.ts';
import { readLineage } from '#server/studio/library/lineage/read-lineage.ts';
import { listMedia } from '#server/studio/library/list-media.ts';
import { readMedia } from '#server/studio/library/read-media.ts';
import { renameMedia } from '#server/studio/library/rename-media.ts';
import { setFavourite } from '#server/studio/library/set-favourite.ts';
import type { Deps } from '#server/platform/deps.ts';
import { findChangeable, findVisible, scopeWork } from '#server/accounts/people/own-work.ts';
import type { Handlers } from '#server/http/handler.ts';

export const libraryRoutes = (deps: Deps) =>
  ({
    list_media: ({ caller, query: { person_id, ...query } }) =>
      listMedia(deps, scopeWork(caller, person_id), query, scopeWork(caller, undefined)),

    get_media: ({ caller, params }) => readMedia(deps, caller.organization_id, params.media_id),

    rename_media: ({ caller, params, body }) => renameMedia(deps, caller.organization_id, params.media_id, body.name),

    get_media_lineage: ({ caller, params, query }) => readLineage(deps, caller.organization_id, params.media_id, query),

    add_favourite: ({ caller, params }) => setFavourite(deps, caller.organization_id, params.media_id, true),

    remove_favourite: ({ caller, params }) => setFavourite(deps, caller.organization_id, params.media_id, false),

    async delete_media({ caller, body }) {
      return deleteMedia(deps, caller, body, await findChangeable(deps, caller, body.ids));
    },

    async restore_media({ caller, body: { ids } }) {
      return restoreMedia(deps, caller, ids, await findChangeable(deps, caller, ids));
    },

    async list_media_labels({ caller, query }) {
      const data = await listLabels(deps.db, scopeWork(caller, undefined), query);
      return { object: 'list', data, has_more: false, next_cursor: null };
    },

    label_media: ({ caller, body }) => changeLabels(deps, caller, body),

    async archive_media({ caller, body: { ids } }) {
      return createArchive(deps, caller.organization_id, ids, await findVisible(deps, caller, ids));
    },
  }) satisfies Handlers;
