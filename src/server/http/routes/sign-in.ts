import { openSession } from '#server/accounts/keys/open-session.ts';
import { deleteSession } from '#server/accounts/keys/sessions.ts';
import { createSignInToken, exchangeSignInToken, SIGN_IN_TTL_MS } from '#server/accounts/keys/sign-in-tokens.ts';
import { requestSignInLink } from '#server/accounts/people/mail-sign-in-link.ts';
import { OidcSignInError } from '#server/accounts/people/oidc/oidc-error.ts';
import { createOidcSignIn, OIDC_TTL_MS, type OidcSignIn } from '#server/accounts/people/oidc/oidc-sign-in.ts';
import { endOtherSessions, endSession, listSessions } from '#server/accounts/people/open-sessions.ts';
import { startPasskeySignIn, signInWithPasskey } from '#server/accounts/people/passkey-sign-in.ts';
import {
  CHALLENGE_TTL_MS,
  createPasskey,
  deletePasskey,
  listPasskeys,
  renamePasskey,
  startRegistration,
} from '#server/accounts/people/passkeys.ts';
import { findRelyingParty, type RelyingParty } from '#server/accounts/people/relying-party.ts';
import { ApiError, assertFound } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Deps } from '#server/platform/deps.ts';
import { completeList, createReply, type Handlers } from '#server/http/handler.ts';
import { requirePerson, requireRecentSignIn } from '#server/http/require-person.ts';
import {
  clearSessionCookie,
  readOidcCookie,
  replySession,
  serializeOidcCookie,
  serializeSessionCookie,
} from '#server/http/session-cookie.ts';
import type { SignInGuard } from '#server/http/sign-in-guard.ts';

type SignInDeps = Deps & { guard: SignInGuard };

/** Decision: Sign-in */
export function signInRoutes(deps: SignInDeps) {
  const { config, guard } = deps;
  const party = findRelyingParty(config);
  const oidc = config.oidc && createOidcSignIn(deps, config.oidc);

  const requireParty = (): RelyingParty => {
    if (party) return party;
    throw new ApiError('invalid_request', 'Passkeys require HTTPS or localhost in PUBLIC_URL, and a host name.');
  };
  const requireOidc = (): OidcSignIn => {
    if (oidc) return oidc;
    throw new ApiError('invalid_request', 'No identity provider is set up. See OIDC_ISSUER.');
  };
  /** Sends the browser to the sign-in page with an error code; other errors are thrown. */
  const handleOidcError = async (error: unknown, address: string) => {
    if (!(error instanceof OidcSignInError)) throw error;
    await guard.fail(address, { cause: error.code });
    const cookie = serializeOidcCookie(config, '', 0);
    return createReply(undefined, { location: `/sign-in?error=${error.code}`, 'set-cookie': cookie });
  };

  return {
    async list_sign_in_methods() {
      const provider = config.oidc && { name: config.oidc.name };
      return { object: 'sign_in_methods', mail: config.mail !== null, passkey: party !== null, oidc: provider };
    },

    async mail_sign_in_link({ body, client }) {
      if (config.mail === null) throw new ApiError('invalid_request', 'This service sends no mail. See SMTP_URL.');
      await guard.countMail(client.address, body.email);
      await requestSignInLink(deps, body.email);
    },

    start_passkey_sign_in: async () => startPasskeySignIn(deps, requireParty()),

    async sign_in_with_passkey({ body, client, headers }) {
      await guard.admit(client.address);
      const session = await signInWithPasskey(deps, requireParty(), body.credential, client);
      if (session) return replySession(config, { headers }, session);
      await guard.fail(client.address, { cause: 'passkey_not_valid' });
      throw new ApiError('authentication_error', 'This passkey is not known here, or its sign-in took too long.');
    },

    async start_oidc_sign_in({ query, client }) {
      const provider = requireOidc();
      await guard.admit(client.address);
      try {
        const { url, browserText } = await provider.start(query.from ?? '/');
        const cookie = serializeOidcCookie(config, browserText, OIDC_TTL_MS);
        return createReply(undefined, { location: url, 'set-cookie': cookie });
      } catch (error) {
        return handleOidcError(error, client.address);
      }
    },

    async finish_oidc_sign_in({ client, headers, incoming }) {
      const provider = requireOidc();
      await guard.admit(client.address);
      try {
        const { session, from } = await provider.finish(incoming.url ?? '', readOidcCookie(config, headers), client);
        const cookies = [serializeOidcCookie(config, '', 0), serializeSessionCookie(config, session.secret)];
        return createReply(undefined, { location: from, 'set-cookie': cookies });
      } catch (error) {
        return handleOidcError(error, client.address);
      }
    },

    list_passkeys: async ({ caller }) => completeList(await listPasskeys(deps.db, requirePerson(caller).person.id)),

    start_passkey_registration: async ({ caller }) =>
      startRegistration(deps, requireParty(), requireRecentSignIn(caller, deps.clock.now()).person),

    create_passkey: async ({ caller, body }) =>
      createPasskey(deps, requireParty(), requireRecentSignIn(caller, deps.clock.now(), CHALLENGE_TTL_MS), body),

    update_passkey: async ({ caller, params, body }) =>
      renamePasskey(deps, requirePerson(caller), params.passkey_id, body.name),

    async delete_passkey({ caller, params }) {
      const person = requireRecentSignIn(caller, deps.clock.now());
      assertFound(await deletePasskey(deps, person, params.passkey_id), 'Passkey');
    },

    ...sessionRoutes(deps),
  } satisfies Handlers;
}

function assertNoSession({ session_id }: Caller): void {
  if (session_id === undefined) return;
  throw new ApiError('authentication_error', 'A session cannot open another one. Send an API key.');
}

const sessionRoutes = (deps: SignInDeps) =>
  ({
    async sign_in({ body, client, headers }) {
      await deps.guard.admit(client.address);
      const session = await exchangeSignInToken(deps, body.token, client);
      if (session) return replySession(deps.config, { headers }, session);
      await deps.guard.fail(client.address, { cause: 'link_not_valid' });
      throw new ApiError('authentication_error', 'This sign-in link was already used or has expired.');
    },

    async create_sign_in_token({ caller }) {
      const isPerson = caller.session_id !== undefined && caller.signedInAt != null;
      if (isPerson) requireRecentSignIn(caller, deps.clock.now());
      else assertNoSession(caller);
      const ttlMs = SIGN_IN_TTL_MS[isPerson ? 'device' : 'shared'];
      const { token, expires_at } = await createSignInToken(deps, caller.key_id, ttlMs);
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

    list_sessions: async ({ caller, query }) => completeList(await listSessions(deps, caller, query.person_id)),

    end_session: async ({ caller, params }) =>
      assertFound(await endSession(deps, caller, params.session_id), 'Session'),

    end_other_sessions: ({ caller }) => endOtherSessions(deps, caller),
  }) satisfies Handlers;
