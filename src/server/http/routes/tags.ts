import type { Deps } from '#server/platform/deps.ts';
import { deleteTag, listTags, setTag } from '#server/accounts/tags/manage-tags.ts';
import { suggestTagValues } from '#server/accounts/tags/suggest-values.ts';
import type { Handlers } from '#server/http/handler.ts';

/** Decision: Tags */
export const tagRoutes = (deps: Deps) =>
  ({
    async list_tags({ caller }) {
      return {
        object: 'list',
        data: await listTags(deps.db, caller.organization_id),
        has_more: false,
        next_cursor: null,
      };
    },
    async list_tag_values({ caller, params, query }) {
      const data = await suggestTagValues(deps.db, caller, params.tag_name, query);
      return { object: 'list', data, has_more: false, next_cursor: null };
    },
    set_tag: ({ caller, params, body }) => setTag(deps, caller, params.tag_name, body),
    async delete_tag({ caller, params }) {
      await deleteTag(deps, caller, params.tag_name);
      return undefined;
    },
  }) satisfies Handlers;
