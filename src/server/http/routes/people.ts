import { PERMISSIONS, ROLE_PERMISSIONS, ROLES } from '#contract/permissions.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { acceptInvitation, InvitationError, previewInvitation } from '#server/accounts/people/accept-invitation.ts';
import { createInvitation, listInvitations, revokeInvitation } from '#server/accounts/people/invitations.ts';
import {
  cancelPendingEmail,
  confirmEmail,
  resendConfirmation,
  updateProfile,
} from '#server/accounts/people/own-email.ts';
import { listPeople } from '#server/accounts/people/list-people.ts';
import { presentPerson } from '#server/accounts/people/present-person.ts';
import { updatePerson } from '#server/accounts/people/update-person.ts';
import { removePersonAndCancelWork } from '#server/studio/workflows/remove-person-and-cancel-work.ts';
import type { Handlers } from '#server/http/handler.ts';
import { requirePerson, requireRecentSignIn } from '#server/http/require-person.ts';
import { replySession } from '#server/http/session-cookie.ts';
import type { SignInGuard } from '#server/http/sign-in-guard.ts';

type PeopleDeps = Deps & { guard: SignInGuard };

/** Decision: People, Roles */
export const peopleRoutes = (deps: PeopleDeps) =>
  ({
    list_people: ({ caller, query }) => listPeople(deps, caller.organization_id, query),

    async update_person({ caller, params, body }) {
      const person = await updatePerson(deps, caller, params.person_id, body);
      if (!person) throw new ApiError('not_found', 'Person not found.');
      return presentPerson(person);
    },

    async remove_person({ caller, params, query }) {
      const known = await removePersonAndCancelWork(deps, caller, params.person_id, query.confirm_key);
      if (!known) throw new ApiError('not_found', 'Person not found.');
      return undefined;
    },

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
      return undefined;
    },

    async cancel_pending_email({ caller }) {
      await cancelPendingEmail(deps, requirePerson(caller));
      return undefined;
    },

    async list_roles() {
      const data = ROLES.map((id) => ({
        id,
        object: 'role' as const,
        permissions: ROLE_PERMISSIONS[id].map((name) => ({ id: name, description: PERMISSIONS[name] })),
      }));
      return { object: 'list', data, has_more: false, next_cursor: null };
    },

    list_invitations: ({ caller, query }) => listInvitations(deps, caller.organization_id, query),
    create_invitation: ({ caller, body }) => createInvitation(deps, caller, body),

    async revoke_invitation({ caller, params }) {
      const known = await revokeInvitation(deps, caller, params.invitation_id);
      if (!known) throw new ApiError('not_found', 'Invitation not found.');
      return undefined;
    },

    preview_invitation: ({ body, client }) =>
      withGuard(deps.guard, client.address, () => previewInvitation(deps, body.token)),

    async accept_invitation({ body, client, headers }) {
      const session = await withGuard(deps.guard, client.address, () => acceptInvitation(deps, body, client));
      return replySession(deps.config, { headers }, session);
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
