import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { querySchema } from '../primitives.ts';
import { PasskeyRequestOptions, PasskeySignIn } from '../resources/passkey.ts';
import { SessionCreated } from '../resources/session.ts';
import { MailedLinkRequest, OidcStartQuery, SignInMethods } from '../resources/sign-in.ts';

/** Decision: Sign-in */
export const signInEndpoints = {
  list_sign_in_methods: defineEndpoint({
    ...ENDPOINT_ROUTES.list_sign_in_methods,
    tag: 'Sessions',
    summary: 'Read how people can sign in',
    status: 200,
    response: SignInMethods,
    errors: {},
    addition: true,
  }),
  mail_sign_in_link: defineEndpoint({
    ...ENDPOINT_ROUTES.mail_sign_in_link,
    tag: 'Sessions',
    summary: 'Mail a sign-in link, if somebody has this address; it works once, within 15 minutes',
    body: MailedLinkRequest,
    status: 204,
    response: null,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  start_passkey_sign_in: defineEndpoint({
    ...ENDPOINT_ROUTES.start_passkey_sign_in,
    tag: 'Sessions',
    summary: 'Start a sign-in with a passkey',
    status: 200,
    response: PasskeyRequestOptions,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  sign_in_with_passkey: defineEndpoint({
    ...ENDPOINT_ROUTES.sign_in_with_passkey,
    tag: 'Sessions',
    summary: 'Sign in with a passkey',
    body: PasskeySignIn,
    status: 201,
    response: SessionCreated,
    opens_session: true,
    errors: { 400: INVALID_REQUEST, 401: ['authentication_error'], 422: INVALID_REQUEST },
    addition: true,
  }),
  start_oidc_sign_in: defineEndpoint({
    ...ENDPOINT_ROUTES.start_oidc_sign_in,
    tag: 'Sessions',
    summary: 'Redirect a browser to the organization’s identity provider',
    query: querySchema(OidcStartQuery),
    status: 302,
    response: null,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  finish_oidc_sign_in: defineEndpoint({
    ...ENDPOINT_ROUTES.finish_oidc_sign_in,
    tag: 'Sessions',
    summary: 'Receive a browser from the identity provider: set the session cookie and redirect to the dashboard',
    // The provider decides what else it sends, and openid-client validates all of it.
    query: z.looseObject({ code: z.optional(z.string()), state: z.optional(z.string()) }),
    status: 302,
    response: null,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
