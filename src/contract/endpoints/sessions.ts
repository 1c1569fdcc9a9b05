import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { SessionCreated, SignInRequest, SignInTokenCreated } from '../resources/session.ts';

/** Sessions let browsers sign in without storing a key. */
export const sessionEndpoints = {
  sign_in: defineEndpoint({
    ...ENDPOINT_ROUTES.sign_in,
    tag: 'Sessions',
    summary: 'Exchange the token of a sign-in link for a session; a token works once',
    body: SignInRequest,
    status: 201,
    response: SessionCreated,
    errors: { 400: INVALID_REQUEST, 401: ['authentication_error'], 422: INVALID_REQUEST },
    addition: true,
  }),
  create_sign_in_token: defineEndpoint({
    ...ENDPOINT_ROUTES.create_sign_in_token,
    tag: 'Sessions',
    summary: 'Create the token of a sign-in link for the API key of the request; it works once, within 24 hours',
    status: 201,
    response: SignInTokenCreated,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  create_session: defineEndpoint({
    ...ENDPOINT_ROUTES.create_session,
    tag: 'Sessions',
    summary: 'Open a session for the API key of the request',
    status: 201,
    response: SessionCreated,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  delete_session: defineEndpoint({
    ...ENDPOINT_ROUTES.delete_session,
    tag: 'Sessions',
    summary: 'Sign out: end the session of the request',
    status: 204,
    response: null,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
