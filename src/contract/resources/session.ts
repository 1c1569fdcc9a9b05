import * as z from 'zod/mini';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { email, id, listSchema, pathId, querySchema, timestamp } from '../primitives.ts';
import { PasskeyRequestOptions, PasskeySignIn } from './passkey.ts';

/** How a session began: with a link, a passkey, the organization's identity provider or an API key. */
const SIGN_IN_METHODS = ['link', 'passkey', 'oidc', 'key'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** The prefix makes browsers refuse the cookie from any other host or over plain HTTP. */
export const sessionCookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https://') ? '__Host-emulsion_session' : 'emulsion_session';

const SignInRequest = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(255)) });

/** The only response that contains the token. */
export const SignInTokenCreated = z.strictObject({
  object: z.literal('sign_in_token'),
  /** `mgs_lnk_…`; the link is `{dashboard}/sign-in#token={token}`. */
  token: z.string(),
  expires_at: timestamp(),
});

/**
 * A session replaces a key in a browser: it has the rights of its key and ends with it. This is the only response that
 * contains the secret.
 */
export const SessionCreated = z.strictObject({
  object: z.literal('session'),
  /** `mgs_ses_…`, sent as a bearer credential like a key; null: it is in the cookie of the response. */
  secret: z.nullable(z.string()),
  created_at: timestamp(),
  /** Each use extends it to 30 days from then. */
  expires_at: timestamp(),
});
export type SessionCreated = z.infer<typeof SessionCreated>;

/** A session in the list of open ones. */
export const OpenSession = z.strictObject({
  id: id('ses'),
  object: z.literal('open_session'),
  method: z.enum(SIGN_IN_METHODS),
  /** Of the last use; null: unknown. */
  address: z.nullable(z.string()),
  user_agent: z.nullable(z.string()),
  /** Whether the request was sent with this session. */
  is_current: z.boolean(),
  created_at: timestamp(),
  last_used_at: timestamp(),
  expires_at: timestamp(),
});
export type OpenSession = z.infer<typeof OpenSession>;

export const SignInMethods = z.strictObject({
  object: z.literal('sign_in_methods'),
  /** Whether the service can mail one-time links. */
  mail: z.boolean(),
  /** Whether passkeys work at this address: they require HTTPS or localhost, and a name instead of an IP address. */
  passkey: z.boolean(),
  /** The organization’s identity provider, with the name for its button; null: none. */
  oidc: z.nullable(z.strictObject({ name: z.string() })),
});
export type SignInMethods = z.infer<typeof SignInMethods>;

const MailedLinkRequest = z.strictObject({ email: email() });

/**
 * Why a sign-in at the identity provider did not succeed: the parameter `error` of `/sign-in`, where the browser is
 * sent then. Decision: Sign-in. @public used by the sign-in page
 */
export const OIDC_ERRORS = [
  /** The person or the provider ended the sign-in. */
  'oidc_denied',
  /** The sign-in took too long, was used already, or began in another browser. */
  'oidc_expired',
  /** The provider can't be reached, or its response is not valid. */
  'oidc_failed',
  /** The provider has not verified the mail address. */
  'oidc_email_unverified',
  /** The mail address belongs to no allowed domain. */
  'oidc_domain',
  /** Nobody was invited with this mail address. */
  'oidc_not_invited',
  /** The person was removed from the organization. */
  'oidc_removed',
] as const;
export type OidcError = (typeof OIDC_ERRORS)[number];

/** A path of the dashboard. */
const localPath = () =>
  z.string().check(z.maxLength(500), z.regex(/^\/(?![/\\])[\x21-\x7e]*$/, 'Enter a path such as /library.'));
const OidcStartQuery = { from: z.optional(localPath()) };

/** Sessions let browsers sign in without storing a key. */
export const sessionEndpoints = defineEndpoints('Sessions', {
  sign_in: {
    summary: 'Exchange the token of a sign-in link for a session; a token works once',
    body: SignInRequest,
    status: 201,
    response: SessionCreated,
    opens_session: true,
    errors: { 400: INVALID_REQUEST, 401: ['authentication_error'], 422: INVALID_REQUEST },
  },
  create_sign_in_token: {
    summary:
      'Create the token of a sign-in link for the API key of the request, within 24 hours, or for another device of the person, within 5 minutes; it works once',
    status: 201,
    response: SignInTokenCreated,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  create_session: {
    summary: 'Open a session for the API key of the request',
    status: 201,
    response: SessionCreated,
    opens_session: true,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  delete_session: {
    summary: 'Sign out: end the session of the request',
    status: 204,
    response: null,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  list_sessions: {
    summary: 'List one’s own open sessions, last used first; at most 100',
    query: querySchema({
      /** The sessions of this person instead; requires the permission `people.manage`. */
      person_id: z.optional(pathId()),
    }),
    status: 200,
    response: listSchema(OpenSession),
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  end_session: {
    summary: 'End a session: one’s own or, with the permission people.manage, anybody’s',
    params: z.object({ session_id: pathId() }),
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  end_other_sessions: {
    summary: 'End all of one’s own sessions but that of the request',
    status: 204,
    response: null,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  list_sign_in_methods: {
    summary: 'Read how people can sign in',
    status: 200,
    response: SignInMethods,
    errors: {},
  },
  mail_sign_in_link: {
    summary: 'Mail a sign-in link, if somebody has this address; it works once, within 15 minutes',
    body: MailedLinkRequest,
    status: 204,
    response: null,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  start_passkey_sign_in: {
    summary: 'Start a sign-in with a passkey',
    status: 200,
    response: PasskeyRequestOptions,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  sign_in_with_passkey: {
    summary: 'Sign in with a passkey',
    body: PasskeySignIn,
    status: 201,
    response: SessionCreated,
    opens_session: true,
    errors: { 400: INVALID_REQUEST, 401: ['authentication_error'], 422: INVALID_REQUEST },
  },
  start_oidc_sign_in: {
    summary: 'Redirect a browser to the organization’s identity provider',
    query: querySchema(OidcStartQuery),
    status: 302,
    response: null,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  finish_oidc_sign_in: {
    summary: 'Receive a browser from the identity provider: set the session cookie and redirect to the dashboard',
    // The provider decides what else it sends, and openid-client validates all of it.
    query: z.looseObject({ code: z.optional(z.string()), state: z.optional(z.string()) }),
    status: 302,
    response: null,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
});
