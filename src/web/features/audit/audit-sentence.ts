import type { AuditAction } from '#contract/audit-actions.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import type { ClientVerdict } from '#contract/statuses.ts';
import { describeChanges, readMoney, readText } from './describe-changes.ts';
import {
  asRole,
  budgetOf,
  describeAsked,
  describeBudget,
  describeCause,
  describeCredit,
  describeDecision,
  describeExport,
  describePersonChange,
  describeReview,
  formatRole,
  generationOf,
  KEY_KINDS,
  METHOD_LABELS,
  quote,
  remainingKey,
  targetName,
} from './describe-event.ts';

type Sentence = (event: AuditEvent) => string;

/** A verb and the object that it acts on: `about('revoked the key')` gives “revoked the key “Shop””. */
const about =
  (text: string): Sentence =>
  (event) =>
    `${text}${quote(targetName(event))}`;
/** Like `about`, with the reason or the note of the event. */
const withReason =
  (sentence: Sentence, field = 'reason'): Sentence =>
  (event) => {
    const reason = readText(event, field);
    return reason === undefined ? sentence(event) : `${sentence(event)}: ${reason}`;
  };
/** Says which fields of the object changed from what to what. */
const changed =
  (what: string): Sentence =>
  (event) =>
    [about(`changed ${what}`)(event), describeChanges(event)].filter(Boolean).join(': ');
/** Names the object where the event is the first one of it, and what changed later. */
const added =
  (what: string): Sentence =>
  (event) =>
    event.before === null ? about(`added ${what}`)(event) : changed(what)(event);

const fileCount = ({ before, after }: AuditEvent): string => {
  const count = Number((before ?? after)?.['count'] ?? 1);
  return count === 1 ? 'a file' : `${count} files`;
};

const VERDICT_PHRASES = {
  picked: 'picked',
  approved: 'approved',
  changes_requested: 'asked for changes of',
  commented: 'commented on',
} as const satisfies Record<ClientVerdict, string>;

const WITHDRAWN_PHRASES = {
  picked: 'took back the pick of',
  approved: 'took back the approval of',
  changes_requested: 'took back the request to change',
  commented: 'took back the comment on',
} as const satisfies Record<ClientVerdict, string>;

/** “approved “sunset.png” on the share page “First picks”” */
function describeAnswer(event: AuditEvent, phrases: Readonly<Record<string, string>>): string {
  const file = readText(event, 'file');
  const verb = phrases[readText(event, 'verdict') ?? ''] ?? 'answered about';
  const page = event.target.name === null ? 'a share page' : `the share page${quote(event.target.name)}`;
  return `${verb}${file === undefined ? ' a file' : quote(file)} on ${page}`;
}

/** Completes the name of the actor to a sentence. A new action needs one row, in most cases `about('verb the thing')`. */
const PREDICATES = {
  'sign_in.succeeded': (event) => `signed in${METHOD_LABELS[readText(event, 'method') ?? ''] ?? ''}`,
  'sign_in.failed': (event) => `failed to sign in${describeCause(event)}`,
  'session.ended': about('ended a session of'),
  'person.invited': (event) => `invited ${targetName(event) ?? 'somebody'}${asRole(event)}`,
  'invitation.revoked': about('revoked the invitation of'),
  'invitation.rejected': (event) => `opened an invitation that is not valid${describeCause(event)}`,
  'person.joined': (event) => `joined${asRole(event)}`,
  'person.updated': describePersonChange,
  'person.role_kept': (event) =>
    `stays administrator although the identity provider says ${formatRole(readText(event, 'claimed_role'))}: nobody else is one`,
  'person.removed': (event) => `removed ${targetName(event) ?? 'a person'}${remainingKey(event)}`,
  'passkey.added': about('added the passkey'),
  'passkey.changed': (event) =>
    `renamed the passkey${quote(readText({ ...event, after: null }, 'name'))} to${quote(targetName(event))}`,
  'passkey.removed': about('removed the passkey'),
  'key.created': (event) => about(`created the ${KEY_KINDS[readText(event, 'kind') ?? ''] ?? ''}key`)(event),
  'key.updated': changed('the key'),
  'key.rotated': about('rotated the key'),
  'key.revoked': about('revoked the key'),
  'budget.set': describeBudget,
  'budget.deleted': (event) => {
    const limit = readMoney(event, 'limit_usd');
    return `deleted ${budgetOf(event)}${limit === undefined ? '' : `, which was ${limit}`}`;
  },
  'request.created': withReason((event) => `asked for${describeAsked(event) || ' an approval'}`, 'note'),
  'request.decided': withReason(describeDecision),
  'credit.added': withReason(describeCredit, 'description'),
  'refund.created': withReason(
    (event) => `refunded ${readMoney(event, 'amount_usd') ?? 'an amount'} of ${generationOf(event)}`,
  ),
  'review.decided': withReason(describeReview, 'note'),
  'provider.connected': about('connected the provider'),
  'provider.updated': changed('the provider'),
  'provider.key_rotated': about('replaced the key of the provider'),
  'provider.paused': withReason(about('paused the provider')),
  'provider.resumed': about('resumed the provider'),
  'provider.preferred': about('put first the provider'),
  'added_model.created': about('added the model'),
  'added_model.updated': about('changed the model'),
  'added_model.published': about('published the model'),
  'added_model.paused': withReason(about('paused the model')),
  'added_model.upgraded': about('updated the schema of the model'),
  'added_model.removed': about('removed the model'),
  'provider.disconnected': about('disconnected the provider'),
  'catalog_label.set': (event) => `named ${event.target.id ?? 'a model'}${quote(event.target.name)}`,
  'catalog_label.deleted': about('removed the name'),
  'prices.changed': changed('prices'),
  'webhook.created': about('created the webhook endpoint'),
  'webhook.enabled': about('enabled the webhook endpoint'),
  'webhook.disabled': about('disabled the failing webhook endpoint'),
  'webhook.secret_rotated': about('rotated the secret of the webhook endpoint'),
  'webhook.deleted': about('deleted the webhook endpoint'),
  'generation.canceled': ({ before }) => {
    const count = Number(before?.['count'] ?? 1);
    return count === 1 ? 'canceled a generation of others' : `canceled ${count} generations of others`;
  },
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
  'media.exported_without_credentials': (event) => `downloaded ${fileCount(event)} without content credentials`,
  'upload.deleted': about('deleted the upload'),
  'collection.deleted': about('deleted the collection'),
  'share.created': about('shared'),
  'share.updated': changed('the share page'),
  'share.revoked': about('stopped sharing'),
  'share.answered': withReason((event) => describeAnswer(event, VERDICT_PHRASES), 'comment'),
  'share.answer_withdrawn': (event) => describeAnswer(event, WITHDRAWN_PHRASES),
  'workflow.deleted': about('deleted the workflow'),
  'tag.set': added('the tag'),
  'tag.deleted': about('deleted the tag'),
  'preset.shared': about('shared the preset'),
  'preset.changed': changed('the shared preset'),
  'preset.unshared': about('stopped sharing the preset'),
  'preset.deleted': about('deleted the shared preset'),
  'settings.changed': (event) => `changed ${describeChanges(event) ?? 'the settings'}`,
  'alert.raised': withReason(about('raised the alert'), 'message'),
  'alert.acknowledged': withReason(about('acknowledged the alert'), 'message'),
  'export.created': describeExport,
  'export.sealed': () => 'recorded the checksums of an audit pack',
  'installation.secrets_rotated': () => 'rotated the secret key of the service',
  'installation.certificate_rotated': () => 'rotated the certificate of content credentials',
  'installation.restored': (event) =>
    `restored the service from the backup of ${readText(event, 'created_at') ?? 'another time'}`,
  'installation.moved': () => 'moved the service to another database',
  'installation.email_trust_changed': (event) => {
    const issuer = readText(event, 'trusted_issuer');
    return issuer === undefined
      ? 'stopped trusting mail addresses of the identity provider without its verification'
      : `started trusting mail addresses of ${issuer} without its verification`;
  },
} satisfies Record<AuditAction, Sentence>;

/** Describes an event without the name of its actor: “approved Mia’s request for $0.12”. Plain text. */
export const describeAuditEvent = (event: AuditEvent): string => PREDICATES[event.action](event);

/**
 * Shows people by the name that they have now. What the fields of the event say stays as it was.
 * @param names current names by id of a person
 */
export function withCurrentNames(event: AuditEvent, names: ReadonlyMap<string, string>): AuditEvent {
  const { actor, target, before, after } = event;
  const rename = <Named extends { id: string | null; name: string | null }>(named: Named): Named => {
    const name = named.id === null ? undefined : names.get(named.id);
    return name === undefined ? named : { ...named, name };
  };
  const [, budget_of = ''] = target.type === 'budget' ? (target.name ?? '').split('person:') : [];
  const scope_name = names.get(budget_of);
  const shown = { ...event, actor: rename(actor), target: rename(target) };
  if (scope_name === undefined) return shown;
  return after === null
    ? { ...shown, before: { ...before, scope_name } }
    : { ...shown, after: { ...after, scope_name } };
}
