import * as z from 'zod/mini';
import { PERMISSIONS, ROLES } from '../permissions.ts';
import { email, id, timestamp } from '../primitives.ts';

const personName = () => z.string().check(z.trim(), z.minLength(1), z.maxLength(80));

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

export const PEOPLE_STATUSES = ['active', 'removed'] as const;

/** Name of the organization key that remains after the last administrator. Decision: People */
export const confirmKey = () => z.string().check(z.maxLength(200));

export const PersonUpdate = z.strictObject({
  name: personName(),
  role: z.enum(ROLES),
  confirm_key: z.optional(confirmKey()),
});
export const ProfileUpdate = z.strictObject({ name: personName(), email: z.nullable(email()) });

export const EmailConfirm = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(255)) });

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
export const InvitationPreviewRequest = z.strictObject({ token: invitationToken() });
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

export const InvitationAccept = z.strictObject({
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
