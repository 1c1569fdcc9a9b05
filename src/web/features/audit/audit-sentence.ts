import type { AuditAction, AuditGroup } from '#contract/audit-actions.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';

const quoteTarget = ({ target }: AuditEvent): string => {
  const name = target.name ?? target.id;
  return name === null ? '' : ` “${name}”`;
};
const dollars = (event: AuditEvent, field: string): string => {
  const amount = event.after?.[field];
  return typeof amount === 'string' ? `$${amount}` : 'an amount';
};
const about = (text: string) => (event: AuditEvent) => `${text}${quoteTarget(event)}`;

const fileCount = ({ before }: AuditEvent): string => {
  const count = typeof before?.['count'] === 'number' ? before['count'] : 1;
  return count === 1 ? 'a file' : `${count} files`;
};

const EXPORT_LABELS: Readonly<Record<string, string>> = {
  audit_pack: 'an audit pack',
  audit_log: 'the audit log',
  ledger: 'the ledger',
  statement: 'a statement',
  margin: 'the margin',
};

/** Completes the name of the actor to a sentence. */
const PREDICATES: Readonly<Record<AuditAction, (event: AuditEvent) => string>> = {
  'sign_in.succeeded': () => 'signed in',
  'sign_in.failed': () => 'failed to sign in',
  'session.ended': about('ended a session of'),
  'person.invited': about('invited'),
  'invitation.revoked': about('revoked the invitation of'),
  'invitation.rejected': () => 'opened an invitation that is not valid',
  'person.joined': about('joined as'),
  'person.updated': about('changed the person'),
  'person.removed': about('removed the person'),
  'passkey.added': about('added the passkey'),
  'passkey.changed': about('renamed the passkey'),
  'passkey.removed': about('removed the passkey'),
  'key.created': about('created the key'),
  'key.updated': about('changed the key'),
  'key.rotated': about('rotated the key'),
  'key.revoked': about('revoked the key'),
  'budget.set': (event) => `set the budget of${quoteTarget(event)} to ${dollars(event, 'limit_usd')}`,
  'budget.deleted': about('deleted the budget of'),
  'request.created': about('sent the request'),
  'request.decided': about('decided the request'),
  'credit.added': (event) => `added ${dollars(event, 'amount_usd')} of credit`,
  'refund.created': (event) => `refunded ${dollars(event, 'amount_usd')} of the generation${quoteTarget(event)}`,
  'review.decided': (event) =>
    `${event.after?.['decision'] === 'approve' ? 'approved' : 'rejected'} the generation${quoteTarget(event)} in review`,
  'provider.connected': about('connected the provider'),
  'provider.updated': about('changed models or prices of the provider'),
  'provider.key_rotated': about('replaced the key of the provider'),
  'provider.paused': about('paused the provider'),
  'provider.resumed': about('resumed the provider'),
  'provider.preferred': about('put first the provider'),
  'provider.disconnected': about('disconnected the provider'),
  'catalog_label.set': about('set the name'),
  'catalog_label.deleted': about('removed the name'),
  'prices.changed': () => 'changed prices',
  'webhook.created': about('created the webhook endpoint'),
  'webhook.enabled': about('enabled the webhook endpoint'),
  'webhook.disabled': about('disabled the failing webhook endpoint'),
  'webhook.secret_rotated': about('rotated the secret of the webhook endpoint'),
  'webhook.deleted': about('deleted the webhook endpoint'),
  'generation.canceled': ({ before }) =>
    before?.['count'] === 1 ? 'canceled a generation of others' : `canceled ${String(before?.['count'])} generations of others`,
  'generation.retried': about('retried the generation'),
  'batch.paused': about('paused the batch'),
  'batch.resumed': about('resumed the batch'),
  'batch.canceled': about('canceled the batch'),
  'batch.retried': about('retried failed orders of the batch'),
  'workflow_run.canceled': about('canceled the run of'),
  'workflow_run.retried': about('retried the run of'),
  'media.deleted': (event) => `deleted ${fileCount(event)}`,
  'media.trashed': (event) => `moved ${fileCount(event)} to the trash`,
  'media.restored': (event) => `restored ${fileCount(event)} from the trash`,
  'upload.deleted': about('deleted the upload'),
  'collection.deleted': about('deleted the collection'),
  'share.created': about('shared'),
  'share.updated': about('changed the share page of'),
  'share.revoked': about('stopped sharing'),
  'workflow.deleted': about('deleted the workflow'),
  'tag.set': about('set the tag'),
  'tag.deleted': about('deleted the tag'),
  'preset.shared': about('shared the preset'),
  'preset.changed': about('changed the shared preset'),
  'preset.unshared': about('stopped sharing the preset'),
  'preset.deleted': about('deleted the shared preset'),
  'settings.changed': () => 'changed the settings',
  'alert.raised': about('raised the alert'),
  'alert.acknowledged': about('acknowledged the alert'),
  'export.created': ({ target }) => `exported ${EXPORT_LABELS[target.type] ?? target.type.replaceAll('_', ' ')}`,
  'installation.secrets_rotated': () => 'rotated the secret key of the service',
  'installation.restored': () => 'restored the service from a backup',
  'installation.moved': () => 'moved the service to another database',
};

/** Describes an event without the name of its actor: “set the budget of “Blog import” to $50”. */
export const describeAuditEvent = (event: AuditEvent): string => PREDICATES[event.action](event);

export const AUDIT_GROUP_LABELS: Readonly<Record<AuditGroup, string>> = {
  sign_in: 'Sign-ins',
  session: 'Sessions',
  person: 'People',
  invitation: 'Invitations',
  passkey: 'Passkeys',
  key: 'Keys',
  budget: 'Budgets',
  request: 'Requests',
  credit: 'Credits',
  refund: 'Refunds',
  review: 'Reviews',
  provider: 'Providers',
  catalog_label: 'Names of models',
  prices: 'Prices',
  webhook: 'Webhooks',
  generation: 'Generations of others',
  batch: 'Batches',
  workflow_run: 'Workflow runs',
  media: 'Deleted media',
  upload: 'Deleted uploads',
  collection: 'Deleted collections',
  share: 'Share pages',
  workflow: 'Deleted workflows',
  tag: 'Tags',
  preset: 'Shared presets',
  settings: 'Settings',
  alert: 'Alerts',
  export: 'Exports',
  installation: 'Operation',
};
