import { eq } from 'drizzle-orm';
import { RESUMABLE_UPLOADS_PATH } from '#contract/resources/upload.ts';
import type { Deps } from '#server/platform/deps.ts';
import { organizations } from '#server/platform/db/organization-schema.ts';
import { rotateKey, updateKey } from '#server/accounts/keys/change-key.ts';
import { createKeyFor } from '#server/accounts/keys/create-key.ts';
import { listKeys, lockManagedKey } from '#server/accounts/keys/list-keys.ts';
import { describeImprovement } from '#server/studio/prompts/improve/describe-improvement.ts';
import { summarizeProviders } from '#server/models/connections/list-providers.ts';
import { isOperator } from '#server/models/connections/manage-providers.ts';
import { revokeKeyAndCancelWork } from '#server/studio/workflows/revoke-key-and-cancel-work.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Handlers } from '#server/http/handler.ts';
import { recentSignInUntil } from '#server/http/require-person.ts';

/** Decision: Keys */
export const keyRoutes = (deps: Deps) =>
  ({
    async get_me({ caller }) {
      const [organization] = await deps.db
        .select({ id: organizations.id, name: organizations.name })
        .from(organizations)
        .where(eq(organizations.id, caller.organization_id));
      if (!organization) throw new Error(`A key of no organization: ${caller.key_id}`);
      const { media_ttl_days, max_upload_bytes } = deps.config;
      const is_operator = caller.permissions.has('providers.manage') && (await isOperator(deps.db, caller));
      return {
        organization,
        key: { id: caller.key_id, name: caller.key_name, kind: caller.kind },
        person: caller.person,
        recent_sign_in_until: recentSignInUntil(caller)?.toISOString() ?? null,
        permissions: [...caller.permissions],
        sees_own_work_only: caller.sees_own_work_only,
        media: {
          kept_days: media_ttl_days === 0 ? null : media_ttl_days,
          max_upload_bytes,
          resumable_uploads_path: RESUMABLE_UPLOADS_PATH,
        },
        ...describeImprovement(deps, caller),
        ...(is_operator ? { providers: await summarizeProviders(deps) } : {}),
      };
    },

    async list_api_keys({ caller }) {
      const data = await listKeys(deps, caller);
      return { object: 'list', data, has_more: false, next_cursor: null };
    },

    create_api_key: ({ caller, body }) => createKeyFor(deps, caller, body),
    update_api_key: ({ caller, params, body }) => updateKey(deps, caller, params.key_id, body),
    rotate_api_key: ({ caller, params, body }) => rotateKey(deps, caller, params.key_id, body.overlap_hours),

    async delete_api_key({ caller, params }) {
      const { key_id } = params;
      const managed = await deps.db.transaction((tx) => lockManagedKey(tx, caller, key_id));
      if (!managed || !(await revokeKeyAndCancelWork(deps, caller, key_id))) {
        throw new ApiError('not_found', 'Key not found.');
      }
      return undefined;
    },
  }) satisfies Handlers;
