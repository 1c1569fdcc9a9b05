import { createShare } from '#server/library/shares/create-share.ts';
import { listShares, revokeShare } from '#server/library/shares/list-shares.ts';
import type { ShareDeps } from '#server/library/shares/present-shares.ts';
import { updateShare } from '#server/library/shares/update-share.ts';
import type { Handlers } from '../handler.ts';

/** Decision: Share pages */
export const shareRoutes = (deps: ShareDeps) =>
  ({
    list_shares: ({ caller, query }) => listShares(deps, caller, query),

    create_share: ({ caller, body }) => createShare(deps, caller, body),

    update_share: ({ caller, params, body }) => updateShare(deps, caller, params.share_id, body),

    async revoke_share({ caller, params }) {
      await revokeShare(deps, caller, params.share_id);
      return undefined;
    },
  }) satisfies Handlers;
