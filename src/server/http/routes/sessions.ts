import type { Caller } from '#server/core/caller.ts';
import type { Deps } from '#server/deps.ts';
import { deleteSession, createSession } from '#server/keys/sessions.ts';
import { createSignInToken, exchangeSignInToken, SIGN_IN_TTL_MS } from '#server/keys/sign-in-tokens.ts';
import { ApiError } from '#server/core/api-error.ts';
import type { Handlers } from '../handler.ts';

function assertNoSession({ session_sha256 }: Caller): void {
  if (session_sha256 === undefined) return;
  throw new ApiError('authentication_error', 'A session cannot open another one. Send an API key.');
}

export const sessionRoutes = (deps: Pick<Deps, 'db' | 'clock'>) =>
  ({
    async sign_in({ body, client }) {
      const session = await exchangeSignInToken(deps, body.token, client);
      if (session) return session;
      throw new ApiError('authentication_error', 'This sign-in link was already used or has expired.');
    },

    async create_sign_in_token({ caller }) {
      assertNoSession(caller);
      const { token, expires_at } = await createSignInToken(deps, caller.key_id, SIGN_IN_TTL_MS.shared);
      return { object: 'sign_in_token', token, expires_at: expires_at.toISOString() };
    },

    async create_session({ caller, client }) {
      assertNoSession(caller);
      const session = await createSession(deps, caller.key_id, { method: 'key', ...client });
      if (session) return session;
      throw new ApiError('authentication_error', 'This key is unknown or was revoked.');
    },

    async delete_session({ caller }) {
      if (caller.session_sha256 === undefined) {
        throw new ApiError('invalid_request', 'This request came with an API key, so there is no session to end.');
      }
      await deleteSession(deps, caller.session_sha256);
      return undefined;
    },
  }) satisfies Handlers;
