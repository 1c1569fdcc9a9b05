import { TASKS } from '#contract/catalog.ts';
import { formatMoney } from '#contract/money/money.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { catalogName, isModelId } from '#web/api/known-models.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { isObject } from '#web/ui/is-object.ts';
import { formatBudgetScope } from '#web/budgets/scope-name.ts';
import { AUDIT_TEMPLATES } from './audit-templates.ts';
import { describeChanges } from './describe-changes.ts';

/** What fields are called in a sentence, by value. */
const VALUE_LABELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  method: {
    link: 'by link',
    passkey: 'with a passkey',
    oidc: 'by the identity provider',
    key: 'with a key',
  },
  cause: {
    link_not_valid: 'the link is not valid',
    passkey_not_valid: 'the passkey is not valid',
    oidc_email_unverified: 'the mail address is not verified',
    oidc_domain: 'the mail domain is not allowed',
    oidc_not_invited: 'nobody has invited them',
    oidc_removed: 'they were removed',
  },
  verdict: {
    picked: 'picked',
    approved: 'approved',
    changes_requested: 'asked for changes of',
    commented: 'commented on',
  },
  status: { approved: 'approved', rejected: 'rejected', canceled: 'withdrew' },
  interval: { day: 'daily', week: 'weekly', month: 'monthly' },
};

const WITHDRAWN: Readonly<Record<string, string>> = {
  picked: 'the pick of',
  approved: 'the approval of',
  changes_requested: 'the request to change',
  commented: 'the comment on',
};
const EXPORTS: Readonly<Record<string, string>> = {
  audit_pack: 'an audit pack',
  audit_log: 'the audit log',
  batch: 'a batch',
  focus: 'a FOCUS file',
  ledger: 'the ledger',
  pivot: 'a report',
  statement: 'a statement',
  margin: 'the margin',
};
const NAMED_KEY_KINDS = ['organization', 'publishing'];

/** Returns a text of an event; undefined where it has none. */
function readText({ before, after }: AuditEvent, name: string): string | undefined {
  const value = after?.[name] ?? before?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A field as it reads in a sentence: amounts have no sign, since the verb says where they went. */
function readField(event: AuditEvent, name: string): string | undefined {
  const text = readText(event, name);
  if (text === undefined) return undefined;
  return name.endsWith('_usd')
    ? formatMoney(text.replace('-', ''))
    : (VALUE_LABELS[name]?.[text] ?? (name === 'cause' ? text.replaceAll('_', ' ') : text));
}

const quote = (text: string | null | undefined): string | undefined => (text ? `“${text}”` : undefined);
const targetName = ({ target }: AuditEvent): string | undefined => target.name ?? target.id ?? undefined;
const roleOf = (role: string | undefined): string | undefined =>
  role !== undefined && Object.hasOwn(ROLE_LABELS, role)
    ? ROLE_LABELS[role as keyof typeof ROLE_LABELS].label
    : undefined;
const countOf = ({ before, after }: AuditEvent): number => Number((before ?? after)?.['count'] ?? 1);

function budgetOf(event: AuditEvent): string {
  const scope = event.target.type === 'budget' ? event.target.name : (readText(event, 'scope') ?? null);
  const scopeName = readText(event, 'scope_name') ?? null;
  const who = scope === null ? [] : ['of', formatBudgetScope({ scope, scope_name: scopeName })];
  return ['the', readField(event, 'interval'), 'budget', ...who].filter(Boolean).join(' ');
}

/** "$0.12 (Image · ImgModel A 2)", "$5.00 more for the daily budget of Mia". */
function askedOf(event: AuditEvent): string | undefined {
  const amount = readField(event, 'granted_usd') ?? readField(event, 'amount_usd');
  if (amount === undefined) return undefined;
  if (readText(event, 'kind') === 'budget') return `${amount} more for ${budgetOf(event)}`;
  const [task = '', model = ''] = [readText(event, 'task'), readText(event, 'model')];
  const names = [
    ...(Object.hasOwn(TASKS, task) ? [TASKS[task as keyof typeof TASKS].name] : []),
    ...(isModelId(model) ? [catalogName(model)] : []),
  ];
  return names.length === 0 ? amount : `${amount} (${names.join(' · ')})`;
}

/** What an export was limited to: "client: acme". */
function exportFilterOf(event: AuditEvent): string | undefined {
  const values = Object.entries(parseTags(readText(event, 'tags') ?? '{}'));
  return values.map(([name, value]) => `${name}: ${String(value ?? '(none)')}`).join(', ') || undefined;
}

/** A long filter is stored shortened, which is no JSON. */
function parseTags(text: string): object {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** Words of templates that are no field of the event. */
const WORDS: Readonly<Record<string, (event: AuditEvent) => string | undefined>> = {
  target: (event) => quote(targetName(event)),
  targetId: ({ target }) => target.id ?? undefined,
  // The id of an invitation tells nobody anything.
  person: ({ target }) => target.name ?? undefined,
  whose: (event) =>
    event.actor.id !== null && event.actor.id === event.target.id
      ? 'their own'
      : `${event.before?.['name'] ?? targetName(event) ?? 'somebody'}’s`,
  role: (event) => roleOf(readText(event, 'role')),
  claimed_role: (event) => roleOf(readText(event, 'claimed_role')),
  nameBefore: (event) => quote(readText({ ...event, after: null }, 'name')),
  keyKind: (event) => NAMED_KEY_KINDS.find((kind) => kind === readText(event, 'kind')),
  changes: (event) => describeChanges(event) ?? undefined,
  changesLater: (event) => (event.before === null ? undefined : (describeChanges(event) ?? undefined)),
  saved: ({ before }) => (before === null ? 'set' : 'changed'),
  added: ({ before }) => (before === null ? 'added' : 'changed'),
  budget: budgetOf,
  asked: askedOf,
  decided: (event) =>
    event.after?.['is_possible'] === false ? 'could not approve' : (readField(event, 'status') ?? 'decided'),
  requesters: (event) => {
    const who = readText(event, 'requested_by');
    return who === undefined ? 'a' : who === event.actor.name ? 'their own' : `${who}’s`;
  },
  credited: (event) => {
    const amount = readField(event, 'amount_usd') ?? 'an amount';
    return readText(event, 'amount_usd')?.startsWith('-') ? `deducted ${amount}` : `added ${amount} of credit`;
  },
  generation: (event) => {
    const who = readText(event, 'created_by');
    return who === undefined
      ? ['the generation', quote(targetName(event))].filter(Boolean).join(' ')
      : `a generation of ${who}`;
  },
  reviewed: ({ after }) => (after?.['decision'] === 'approve' ? 'approved' : 'rejected'),
  charged: (event) => (event.after?.['decision'] === 'approve' ? readField(event, 'amount_usd') : undefined),
  generations: (event) => (countOf(event) === 1 ? 'a generation' : `${countOf(event)} generations`),
  files: (event) => (countOf(event) === 1 ? 'a file' : `${countOf(event)} files`),
  file: (event) => quote(readText(event, 'file')),
  withdrawn: (event) => WITHDRAWN[readText(event, 'verdict') ?? ''],
  sharePage: ({ target }) => (target.name === null ? 'a share page' : `the share page “${target.name}”`),
  exported: ({ target }) => EXPORTS[target.type] ?? target.type.replaceAll('_', ' '),
  from: (event) => readText(event, 'from')?.slice(0, 10),
  to: (event) => readText(event, 'to')?.slice(0, 10),
  exportFilter: exportFilterOf,
  trusts: (event) => (readText(event, 'trusted_issuer') === undefined ? 'stopped trusting' : 'started trusting'),
};

const readWord = (event: AuditEvent, word: string): string | undefined =>
  Object.hasOwn(WORDS, word) ? WORDS[word]?.(event) : readField(event, word);

const SEGMENT = /\[([^\]]*)\]/g;
const WORD = /\{(\w+)(?:\|([^}]*))?\}/g;

/** Describes an event without the name of its actor: “approved Mia’s request for $0.12”. Plain text. */
export function describeAuditEvent(event: AuditEvent): string {
  const fill = (text: string) =>
    text.replaceAll(WORD, (_match, word: string, fallback = '') => readWord(event, word) ?? fallback);
  const isComplete = (text: string) =>
    [...text.matchAll(WORD)].every(([, word = '']) => readWord(event, word) !== undefined);
  const template: string = AUDIT_TEMPLATES[event.action];
  // What an event says is filled in once, so that brackets in it are kept.
  const parts = template.split(SEGMENT);
  return parts.map((part, at) => (at % 2 === 0 || isComplete(part) ? fill(part) : '')).join('');
}

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
  const scopeName = names.get(budget_of);
  const shown = { ...event, actor: rename(actor), target: rename(target) };
  if (scopeName === undefined) return shown;
  return after === null
    ? { ...shown, before: { ...before, scope_name: scopeName } }
    : { ...shown, after: { ...after, scope_name: scopeName } };
}
