import * as z from 'zod/mini';
import { INVALID_REQUEST, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId, queryCursor, queryInteger, querySchema } from '../primitives.ts';
import {
  PEOPLE_STATUSES,
  EmailConfirm,
  Person,
  PersonUpdate,
  ProfileUpdate,
  RoleDescription,
  confirmKey,
} from '../resources/person.ts';

const person = z.object({ person_id: pathId() });

/** Decision: People, Roles */
export const peopleEndpoints = {
  list_people: defineEndpoint({
    ...ENDPOINT_ROUTES.list_people,
    tag: 'People',
    summary: 'List the people of the organization, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 100),
      cursor: queryCursor(),
      status: z.optional(z.enum(PEOPLE_STATUSES)),
    }),
    status: 200,
    response: listSchema(Person),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  update_person: defineEndpoint({
    ...ENDPOINT_ROUTES.update_person,
    tag: 'People',
    summary: 'Change the name and role of a person',
    params: person,
    body: PersonUpdate,
    status: 200,
    response: Person,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 409: ['last_administrator'], 422: INVALID_REQUEST },
    addition: true,
  }),
  remove_person: defineEndpoint({
    ...ENDPOINT_ROUTES.remove_person,
    tag: 'People',
    summary: 'Remove a person: their sessions, passkeys and keys end at once, their work stays',
    params: person,
    query: querySchema({ confirm_key: z.optional(confirmKey()) }),
    status: 204,
    response: null,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 409: ['last_administrator'], 422: INVALID_REQUEST },
    addition: true,
  }),
  update_me: defineEndpoint({
    ...ENDPOINT_ROUTES.update_me,
    tag: 'People',
    summary:
      'Change one’s own name and mail address; a new address waits until the link mailed to it is opened. An address requires a sign-in of the last ten minutes',
    body: ProfileUpdate,
    status: 200,
    response: Person,
    errors: { 400: INVALID_REQUEST, 409: ['email_taken'], 422: INVALID_REQUEST },
    addition: true,
  }),
  confirm_email: defineEndpoint({
    ...ENDPOINT_ROUTES.confirm_email,
    tag: 'People',
    summary: 'Confirm one’s own new mail address with the token of the link that was mailed to it',
    body: EmailConfirm,
    status: 200,
    response: Person,
    errors: { 400: INVALID_REQUEST, 409: ['email_taken'], 422: INVALID_REQUEST },
    addition: true,
  }),
  resend_email_confirmation: defineEndpoint({
    ...ENDPOINT_ROUTES.resend_email_confirmation,
    tag: 'People',
    summary: 'Mail the link that confirms one’s own new mail address again',
    status: 204,
    response: null,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  cancel_pending_email: defineEndpoint({
    ...ENDPOINT_ROUTES.cancel_pending_email,
    tag: 'People',
    summary: 'Keep the mail address as it is: drop the new one that waits for its confirmation',
    status: 204,
    response: null,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
    addition: true,
  }),
  list_roles: defineEndpoint({
    ...ENDPOINT_ROUTES.list_roles,
    tag: 'People',
    summary: 'List the roles with their permissions',
    status: 200,
    response: listSchema(RoleDescription),
    errors: {},
    addition: true,
  }),
} as const;
