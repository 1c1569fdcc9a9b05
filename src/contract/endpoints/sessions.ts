import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId, querySchema } from '../primitives.ts';
import { OpenSession, SessionCreated, SignInRequest, SignInTokenCreated } from '../resources/session.ts';

/** Sessions let browsers sign in without storing a key. */
export const sessionEndpoints = {
  sign_in: defineEndpoint({
    ...ENDPOINT_ROUTES.sign_in,
    tag: 'Sessions',
    summary: 'Exchange the token of a sign-in link for a session; a token works once',
    body: SignInRequest,
    status: 201,
    response: SessionCreated,
    opens_session: true,
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
    opens_session: true,
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
  list_sessions: defineEndpoint({
    ...ENDPOINT_ROUTES.list_sessions,
    tag: 'Sessions',
    summary: 'List one’s own open sessions, last used first; at most 100',
    query: querySchema({
      /** The sessions of this person instead; requires the permission `people.manage`. */
      person_id: z.optional(pathId()),
    }),
    status: 200,
    response: listSchema(OpenSession),
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
  end_session: defineEndpoint({
    ...ENDPOINT_ROUTES.end_session,
    tag: 'Sessions',
    summary: 'End a session: one’s own or, with the permission people.manage, anybody’s',
    params: z.object({ session_id: pathId() }),
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
  end_other_sessions: defineEndpoint({
    ...ENDPOINT_ROUTES.end_other_sessions,
    tag: 'Sessions',
    summary: 'End all of one’s own sessions but that of the request',
    status: 204,
    response: null,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
