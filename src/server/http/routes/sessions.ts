import type { Db } from '#server/platform/db/db.ts';
import { and, eq } from 'drizzle-orm';
import type { Caller } from '#server/platform/core/caller.ts';
import { people } from '#server/platform/db/people-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { openSession } from '#server/accounts/keys/open-session.ts';
import { deleteSession } from '#server/accounts/keys/sessions.ts';
import { createSignInToken, exchangeSignInToken, SIGN_IN_TTL_MS } from '#server/accounts/keys/sign-in-tokens.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { endOtherSessions, endSession, listSessions, managedPersonId } from '#server/accounts/people/open-sessions.ts';
import { createReply, type Handlers } from '#server/http/handler.ts';
import { clearSessionCookie, replySession } from '#server/http/session-cookie.ts';
import type { SignInGuard } from '#server/http/sign-in-guard.ts';

function assertNoSession({ session_id }: Caller): void {
  if (session_id === undefined) return;
  throw new ApiError('authentication_error', 'A session cannot open another one. Send an API key.');
}

type SessionDeps = Deps & { guard: SignInGuard };

export const sessionRoutes = (deps: SessionDeps) =>
  ({
    async sign_in({ body, client, headers }) {
      await deps.guard.admit(client.address);
      const session = await exchangeSignInToken(deps, body.token, client);
      if (session) return replySession(deps.config, { headers }, session);
      await deps.guard.fail(client.address, { cause: 'link_not_valid' });
      throw new ApiError('authentication_error', 'This sign-in link was already used or has expired.');
    },

    async create_sign_in_token({ caller }) {
      assertNoSession(caller);
      const { token, expires_at } = await createSignInToken(deps, caller.key_id, SIGN_IN_TTL_MS.shared);
      return { object: 'sign_in_token', token, expires_at: expires_at.toISOString() };
    },

    async create_session({ caller, client, headers }) {
      assertNoSession(caller);
      const { clock } = deps;
      const origin = { method: 'key', ...client } as const;
      const session = await deps.db.transaction((tx) => openSession({ tx, clock }, caller.key_id, origin));
      if (session) return replySession(deps.config, { headers }, session);
      throw new ApiError('authentication_error', 'This key is unknown or was revoked.');
    },

    async delete_session({ caller }) {
      if (caller.session_id === undefined) {
        throw new ApiError('invalid_request', 'This request came with an API key, so there is no session to end.');
      }
      await deleteSession(deps, caller.session_id);
      return createReply(undefined, { 'set-cookie': clearSessionCookie(deps.config) });
    },

    async list_sessions({ caller, query }) {
      const data = await listSessions(deps, caller, await findPersonId(deps.db, caller, query.person_id));
      return { object: 'list', data, has_more: false, next_cursor: null };
    },

    async end_session({ caller, params }) {
      if (!(await endSession(deps, caller, params.session_id))) throw new ApiError('not_found', 'Session not found.');
      return undefined;
    },

    async end_other_sessions({ caller }) {
      await endOtherSessions(deps, caller);
      return undefined;
    },
  }) satisfies Handlers;

async function findPersonId(db: Db, caller: Caller, person_id: string | undefined): Promise<string | null> {
  const { organization_id, permissions } = caller;
  const own_id = managedPersonId(caller);
  if (person_id === undefined || person_id === own_id) return own_id;
  if (!permissions.has('people.manage')) throw new ApiError('not_found', 'Person not found.');
  const [found] = await db
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.organization_id, organization_id), eq(people.id, person_id)));
  if (!found) throw new ApiError('not_found', 'Person not found.');
  return found.id;
}
