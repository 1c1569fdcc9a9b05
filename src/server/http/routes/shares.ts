import type { Deps } from '#server/platform/deps.ts';
import { createShare } from '#server/studio/library/shares/create-share.ts';
import { listShares, revokeShare } from '#server/studio/library/shares/list-shares.ts';
import { updateShare } from '#server/studio/library/shares/update-share.ts';
import type { Handlers } from '#server/http/handler.ts';

/** Decision: Share pages */
export const shareRoutes = (deps: Deps) =>
  ({
    list_shares: ({ caller, query }) => listShares(deps, caller, query),

    create_share: ({ caller, body }) => createShare(deps, caller, body),

    update_share: ({ caller, params, body }) => updateShare(deps, caller, params.share_id, body),

    async revoke_share({ caller, params }) {
      await revokeShare(deps, caller, params.share_id);
      return undefined;
    },
  }) satisfies Handlers;
