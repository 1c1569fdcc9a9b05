/** What the audit log records. Decision: Audit log */
export const AUDIT_ACTIONS = [
  'sign_in.succeeded',
  'sign_in.failed',
  'session.ended',
  'person.invited',
  'invitation.revoked',
  'invitation.rejected',
  'person.joined',
  'person.updated',
  'person.removed',
  'passkey.added',
  'passkey.changed',
  'passkey.removed',
  'key.created',
  'key.updated',
  'key.rotated',
  'key.revoked',
  'budget.set',
  'budget.deleted',
  'request.created',
  'request.decided',
  'credit.added',
  'refund.created',
  'review.decided',
  'provider.connected',
  'provider.updated',
  'provider.key_rotated',
  'provider.paused',
  'provider.resumed',
  'provider.preferred',
  'provider.disconnected',
  'catalog_label.set',
  'catalog_label.deleted',
  'prices.changed',
  'webhook.created',
  'webhook.enabled',
  'webhook.disabled',
  'webhook.secret_rotated',
  'webhook.deleted',
  'media.deleted',
  'media.trashed',
  'media.restored',
  'upload.deleted',
  'collection.deleted',
  'share.created',
  'share.revoked',
  'workflow.deleted',
  'tag.set',
  'tag.deleted',
  'settings.changed',
  'alert.raised',
  'alert.acknowledged',
  'export.created',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

type GroupOf<A> = A extends `${infer Group}.${string}` ? Group : never;
export type AuditGroup = GroupOf<AuditAction>;
/** What the actions are about: the part before the dot. */
export const AUDIT_GROUPS = [...new Set(AUDIT_ACTIONS.map((action) => action.split('.')[0] as AuditGroup))];

export const AUDIT_ACTOR_TYPES = ['person', 'key', 'shell', 'service', 'unknown'] as const;
export type AuditActorType = (typeof AUDIT_ACTOR_TYPES)[number];
