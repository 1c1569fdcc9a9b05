import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId, queryCursor, queryInteger, querySchema } from '../primitives.ts';
import {
  INVITATION_STATUSES,
  Invitation,
  InvitationAccept,
  InvitationCreate,
  InvitationCreated,
  InvitationPreview,
  InvitationPreviewRequest,
} from '../resources/person.ts';
import { SessionCreated } from '../resources/session.ts';

/** Decision: People */
export const invitationEndpoints = {
  list_invitations: defineEndpoint({
    ...ENDPOINT_ROUTES.list_invitations,
    tag: 'People',
    summary: 'List invitations, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 100),
      cursor: queryCursor(),
      status: z.optional(z.enum(INVITATION_STATUSES)),
    }),
    status: 200,
    response: listSchema(Invitation),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  create_invitation: defineEndpoint({
    ...ENDPOINT_ROUTES.create_invitation,
    tag: 'People',
    summary: 'Invite a person by a link, which is returned once; it works once, within 7 days',
    body: InvitationCreate,
    status: 201,
    response: InvitationCreated,
    errors: { 400: INVALID_REQUEST, 409: ['email_taken'], 422: INVALID_REQUEST },
    addition: true,
  }),
  revoke_invitation: defineEndpoint({
    ...ENDPOINT_ROUTES.revoke_invitation,
    tag: 'People',
    summary: 'Revoke an invitation that was not accepted yet',
    params: z.object({ invitation_id: pathId() }),
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
    addition: true,
  }),
  preview_invitation: defineEndpoint({
    ...ENDPOINT_ROUTES.preview_invitation,
    tag: 'People',
    summary: 'Read what an invitation is for',
    body: InvitationPreviewRequest,
    status: 200,
    response: InvitationPreview,
    errors: { 400: INVALID_REQUEST, 401: ['authentication_error'], 422: INVALID_REQUEST },
    addition: true,
  }),
  accept_invitation: defineEndpoint({
    ...ENDPOINT_ROUTES.accept_invitation,
    tag: 'People',
    summary: 'Accept an invitation: create the person and open a session',
    body: InvitationAccept,
    status: 201,
    response: SessionCreated,
    opens_session: true,
    errors: { 400: INVALID_REQUEST, 401: ['authentication_error'], 409: ['email_taken'], 422: INVALID_REQUEST },
    addition: true,
  }),
} as const;
