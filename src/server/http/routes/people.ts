import { eq } from 'drizzle-orm';
import { PERMISSIONS, ROLE_PERMISSIONS, ROLES } from '#contract/permissions.ts';
import { RESUMABLE_UPLOADS_PATH } from '#contract/resources/upload.ts';
import { rotateKey, updateKey } from '#server/accounts/keys/change-key.ts';
import { createKeyFor } from '#server/accounts/keys/create-key.ts';
import { listKeys, lockManagedKey } from '#server/accounts/keys/list-keys.ts';
import { acceptInvitation, InvitationError, previewInvitation } from '#server/accounts/people/accept-invitation.ts';
import { createInvitation, listInvitations, revokeInvitation } from '#server/accounts/people/invitations.ts';
import { listPeople } from '#server/accounts/people/list-people.ts';
import {
  cancelPendingEmail,
  confirmEmail,
  resendConfirmation,
  updateProfile,
} from '#server/accounts/people/own-email.ts';
import { presentPerson } from '#server/accounts/people/present-person.ts';
import { readSettings, updateSettings } from '#server/accounts/people/organization-settings.ts';
import { updatePerson } from '#server/accounts/people/update-person.ts';
import { summarizeProviders } from '#server/models/connections/list-providers.ts';
import { isOperator } from '#server/models/connections/manage-providers.ts';
import { ApiError, assertFound } from '#server/platform/core/api-error.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { describeImprovement } from '#server/studio/prompts/improve/describe-improvement.ts';
import { removePersonAndCancelWork } from '#server/studio/workflows/remove-person-and-cancel-work.ts';
import { revokeKeyAndCancelWork } from '#server/studio/workflows/revoke-key-and-cancel-work.ts';
import { completeList, type Handlers } from '#server/http/handler.ts';
import { recentSignInUntil, requirePerson, requireRecentSignIn } from '#server/http/require-person.ts';
import { replySession } from '#server/http/session-cookie.ts';
import type { SignInGuard } from '#server/http/sign-in-guard.ts';

/** Decision: People, Roles */
export const peopleRoutes = (deps: Deps & { guard: SignInGuard }) =>
  ({
    ...keyRoutes(deps),

    list_people: ({ caller, query }) => listPeople(deps, caller.organization_id, query),

    async update_person({ caller, params, body }) {
      const person = await updatePerson(deps, caller, params.person_id, body);
      assertFound(person, 'Person');
      return presentPerson(person);
    },

    remove_person: async ({ caller, params, query }) =>
      assertFound(await removePersonAndCancelWork(deps, caller, params.person_id, query.confirm_key), 'Person'),

    async update_me({ caller, body, client }) {
      const own = requirePerson(caller);
      if (body.email !== own.person.email) {
        requireRecentSignIn(caller, deps.clock.now());
        if (body.email !== null && deps.config.mail !== null) await deps.guard.countMail(client.address, body.email);
      }
      return presentPerson(await updateProfile(deps, own, body));
    },

    confirm_email: async ({ caller, body }) =>
      presentPerson(await confirmEmail(deps, requirePerson(caller), body.token)),

    async resend_email_confirmation({ caller, client }) {
      const own = requirePerson(caller);
      if (own.person.pending_email) await deps.guard.countMail(client.address, own.person.pending_email);
      await resendConfirmation(deps, own);
    },

    cancel_pending_email: async ({ caller }) => cancelPendingEmail(deps, requirePerson(caller)),

    list_roles: async () =>
      completeList(
        ROLES.map((id) => ({
          id,
          object: 'role' as const,
          permissions: ROLE_PERMISSIONS[id].map((name) => ({ id: name, description: PERMISSIONS[name] })),
        })),
      ),

    list_invitations: ({ caller, query }) => listInvitations(deps, caller.organization_id, query),
    create_invitation: ({ caller, body }) => createInvitation(deps, caller, body),

    revoke_invitation: async ({ caller, params }) =>
      assertFound(await revokeInvitation(deps, caller, params.invitation_id), 'Invitation'),

    preview_invitation: ({ body, client }) =>
      withGuard(deps.guard, client.address, () => previewInvitation(deps, body.token)),

    async accept_invitation({ body, client, headers }) {
      const session = await withGuard(deps.guard, client.address, () => acceptInvitation(deps, body, client));
      return replySession(deps.config, { headers }, session);
    },

    get_settings: ({ caller }) => readSettings(deps, caller),
    update_settings: ({ caller, body }) => updateSettings(deps, caller, body),
  }) satisfies Handlers;

const keyRoutes = (deps: Deps) =>
  ({
    async get_me({ caller }) {
      const [organization] = await deps.db
        .select({ id: organizations.id, name: organizations.name })
        .from(organizations)
        .where(eq(organizations.id, caller.organization_id));
      if (!organization) throw new Error(`A key of no organization: ${caller.key_id}`);
      const { mediaTtlDays, maxUploadBytes } = deps.config;
      const isProviderOperator = caller.permissions.has('providers.manage') && (await isOperator(deps.db, caller));
      return {
        organization,
        key: { id: caller.key_id, name: caller.key_name, kind: caller.kind },
        person: caller.person,
        recent_sign_in_until: recentSignInUntil(caller)?.toISOString() ?? null,
        permissions: [...caller.permissions],
        sees_own_work_only: caller.sees_own_work_only,
        media: {
          kept_days: mediaTtlDays === 0 ? null : mediaTtlDays,
          max_upload_bytes: maxUploadBytes,
          resumable_uploads_path: RESUMABLE_UPLOADS_PATH,
        },
        ...describeImprovement(deps, caller),
        ...(isProviderOperator ? { providers: await summarizeProviders(deps) } : {}),
      };
    },

    list_api_keys: async ({ caller }) => completeList(await listKeys(deps, caller)),

    create_api_key: ({ caller, body }) => createKeyFor(deps, caller, body),
    update_api_key: ({ caller, params, body }) => updateKey(deps, caller, params.key_id, body),
    rotate_api_key: ({ caller, params, body }) => rotateKey(deps, caller, params.key_id, body.overlap_hours),

    async delete_api_key({ caller, params }) {
      const { key_id } = params;
      const managed = await deps.db.transaction((tx) => lockManagedKey(tx, caller, key_id));
      assertFound(managed && (await revokeKeyAndCancelWork(deps, caller, key_id)), 'Key');
    },
  }) satisfies Handlers;

/** @throws {ApiError} 401 for a rejected invitation, which is recorded */
async function withGuard<T>(guard: SignInGuard, address: string, work: () => Promise<T>): Promise<T> {
  await guard.admit(address);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvitationError)) throw error;
    const { invitation, reason, message } = error;
    await guard.fail(address, {
      cause: reason,
      action: 'invitation.rejected',
      organization_id: invitation?.organization_id ?? null,
      target: { type: 'invitation', id: invitation?.id ?? null, name: invitation?.name ?? invitation?.email ?? null },
    });
    throw new ApiError('authentication_error', message);
  }
}
