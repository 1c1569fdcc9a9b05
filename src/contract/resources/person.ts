import * as z from 'zod/mini';
import { line } from '../one-line.ts';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { PERMISSIONS, ROLES } from '../permissions.ts';
import { email, id, listSchema, pathId, queryCursor, queryInteger, querySchema, timestamp } from '../primitives.ts';
import { SessionCreated } from './session.ts';

export const MAX_PERSON_NAME_LENGTH = 80;
const personName = () => line(MAX_PERSON_NAME_LENGTH);

/** Decision: People */
export const Person = z.strictObject({
  id: id('per'),
  object: z.literal('person'),
  name: z.string(),
  /** null: none is confirmed. */
  email: z.nullable(z.string()),
  /** A new address that waits for its confirmation; until then `email` stays in force. */
  pending_email: z.optional(z.nullable(z.string())),
  role: z.enum(ROLES),
  created_at: timestamp(),
  last_active_at: z.nullable(timestamp()),
  /** null: active. */
  removed_at: z.nullable(timestamp()),
});
export type Person = z.infer<typeof Person>;

const PEOPLE_STATUSES = ['active', 'removed'] as const;

/** Name of the organization key that remains after the last administrator. Decision: People */
const confirmKey = () => z.string().check(z.maxLength(200));

const PersonUpdate = z.strictObject({
  name: personName(),
  role: z.enum(ROLES),
  confirm_key: z.optional(confirmKey()),
});
const ProfileUpdate = z.strictObject({ name: personName(), email: z.nullable(email()) });

const EmailConfirm = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(255)) });

export const INVITATION_STATUSES = ['pending', 'accepted', 'expired', 'revoked'] as const;

const invitationFields = {
  id: id('inv'),
  object: z.literal('invitation'),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  role: z.enum(ROLES),
  status: z.enum(INVITATION_STATUSES),
  /** Name of the person or key; null: invited on the command line. */
  invited_by: z.nullable(z.string()),
  created_at: timestamp(),
  expires_at: timestamp(),
};

export const Invitation = z.strictObject(invitationFields);
export type Invitation = z.infer<typeof Invitation>;

/** The only response that contains the link. */
export const InvitationCreated = z.strictObject({
  ...invitationFields,
  /** `{dashboard}/invitation#token={token}`. */
  url: z.string(),
  /** Whether the link is also sent to the mail address. */
  is_mailed: z.boolean(),
});
export type InvitationCreated = z.infer<typeof InvitationCreated>;

export const InvitationCreate = z.strictObject({
  name: z.optional(z.nullable(personName())),
  email: z.optional(z.nullable(email())),
  role: z.enum(ROLES),
});

const invitationToken = () => z.string().check(z.minLength(1), z.maxLength(255));
const InvitationPreviewRequest = z.strictObject({ token: invitationToken() });
export const InvitationPreview = z.strictObject({
  object: z.literal('invitation_preview'),
  organization: z.string(),
  /** Name of the person or key; null: invited on the command line. */
  invited_by: z.nullable(z.string()),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  role: z.enum(ROLES),
  expires_at: timestamp(),
});
export type InvitationPreview = z.infer<typeof InvitationPreview>;

const InvitationAccept = z.strictObject({
  token: invitationToken(),
  name: personName(),
  /** Only for an invitation without a mail address. */
  email: z.optional(z.nullable(email())),
});

export const RoleDescription = z.strictObject({
  id: z.enum(ROLES),
  object: z.literal('role'),
  permissions: z.array(z.strictObject({ id: z.enum(Object.keys(PERMISSIONS)), description: z.string() })),
});
export type RoleDescription = z.infer<typeof RoleDescription>;

const person = z.object({ person_id: pathId() });

/** Decision: People, Roles */
export const peopleEndpoints = defineEndpoints('People', {
  list_people: {
    summary: 'List the people of the organization, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 100),
      cursor: queryCursor(),
      status: z.optional(z.enum(PEOPLE_STATUSES)),
    }),
    status: 200,
    response: listSchema(Person),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  update_person: {
    summary: 'Change the name and role of a person',
    params: person,
    body: PersonUpdate,
    status: 200,
    response: Person,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 409: ['last_administrator'], 422: INVALID_REQUEST },
  },
  remove_person: {
    summary: 'Remove a person: their sessions, passkeys and keys end at once, their work stays',
    params: person,
    query: querySchema({ confirm_key: z.optional(confirmKey()) }),
    status: 204,
    response: null,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 409: ['last_administrator'], 422: INVALID_REQUEST },
  },
  update_me: {
    summary:
      'Change one’s own name and mail address; a new address waits until the link mailed to it is opened. An address requires a sign-in of the last ten minutes',
    body: ProfileUpdate,
    status: 200,
    response: Person,
    errors: { 400: INVALID_REQUEST, 409: ['email_taken'], 422: INVALID_REQUEST },
  },
  confirm_email: {
    summary: 'Confirm one’s own new mail address with the token of the link that was mailed to it',
    body: EmailConfirm,
    status: 200,
    response: Person,
    errors: { 400: INVALID_REQUEST, 409: ['email_taken'], 422: INVALID_REQUEST },
  },
  resend_email_confirmation: {
    summary: 'Mail the link that confirms one’s own new mail address again',
    status: 204,
    response: null,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  cancel_pending_email: {
    summary: 'Keep the mail address as it is: drop the new one that waits for its confirmation',
    status: 204,
    response: null,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  list_roles: {
    summary: 'List the roles with their permissions',
    status: 200,
    response: listSchema(RoleDescription),
    errors: {},
  },
  list_invitations: {
    summary: 'List invitations, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 100),
      cursor: queryCursor(),
      status: z.optional(z.enum(INVITATION_STATUSES)),
    }),
    status: 200,
    response: listSchema(Invitation),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  create_invitation: {
    summary: 'Invite a person by a link, which is returned once; it works once, within 7 days',
    body: InvitationCreate,
    status: 201,
    response: InvitationCreated,
    errors: { 400: INVALID_REQUEST, 409: ['email_taken'], 422: INVALID_REQUEST },
  },
  revoke_invitation: {
    summary: 'Revoke an invitation that was not accepted yet',
    params: z.object({ invitation_id: pathId() }),
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  preview_invitation: {
    summary: 'Read what an invitation is for',
    body: InvitationPreviewRequest,
    status: 200,
    response: InvitationPreview,
    errors: { 400: INVALID_REQUEST, 401: ['authentication_error'], 422: INVALID_REQUEST },
  },
  accept_invitation: {
    summary: 'Accept an invitation: create the person and open a session',
    body: InvitationAccept,
    status: 201,
    response: SessionCreated,
    opens_session: true,
    errors: { 400: INVALID_REQUEST, 401: ['authentication_error'], 409: ['email_taken'], 422: INVALID_REQUEST },
  },
});
