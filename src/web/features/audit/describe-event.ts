import { TASKS } from '#contract/catalog.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import { catalogName, isModelId } from '#web/api/known-models.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { formatBudgetScope } from '#web/budgets/scope-name.ts';
import { describeChanges, readMoney, readText } from './describe-changes.ts';

export const quote = (text: string | null | undefined): string => (text ? ` “${text}”` : '');
export const targetName = ({ target }: AuditEvent): string | null => target.name ?? target.id;

export const formatRole = (role: string | undefined): string =>
  role !== undefined && Object.hasOwn(ROLE_LABELS, role)
    ? ROLE_LABELS[role as keyof typeof ROLE_LABELS].label
    : 'another role';
export const asRole = (event: AuditEvent): string => {
  const role = readText(event, 'role');
  return role === undefined ? '' : ` as ${formatRole(role)}`;
};
export const remainingKey = (event: AuditEvent): string => {
  const key = readText(event, 'remaining_key');
  return key === undefined ? '' : `. No administrator remains, only the key “${key}”`;
};

export const METHOD_LABELS: Readonly<Record<string, string>> = {
  link: ' by link',
  passkey: ' with a passkey',
  oidc: ' by the identity provider',
  key: ' with a key',
};
const CAUSE_LABELS: Readonly<Record<string, string>> = {
  link_not_valid: 'the link is not valid',
  passkey_not_valid: 'the passkey is not valid',
  oidc_email_unverified: 'the mail address is not verified',
  oidc_domain: 'the mail domain is not allowed',
  oidc_not_invited: 'nobody has invited them',
  oidc_removed: 'they were removed',
};
export const describeCause = (event: AuditEvent): string => {
  const cause = readText(event, 'cause');
  return cause === undefined ? '' : `: ${CAUSE_LABELS[cause] ?? cause.replaceAll('_', ' ')}`;
};

export const KEY_KINDS: Readonly<Record<string, string>> = { organization: 'organization ', publishing: 'publishing ' };

export function describePersonChange(event: AuditEvent): string {
  const { actor, target, before, after } = event;
  const whose =
    actor.id !== null && actor.id === target.id
      ? 'their own'
      : `${before?.['name'] ?? targetName(event) ?? 'somebody'}’s`;
  const fields = { role: 'role', name: 'name', email: 'mail address' } as const;
  const parts = Object.entries(fields).flatMap(([field, label]) => {
    if (after?.[field] === undefined) return [];
    const show = (value: unknown) => (field === 'role' ? formatRole(String(value)) : String(value ?? 'none'));
    return [`${label} from ${show(before?.[field])} to ${show(after[field])}`];
  });
  const pending = after?.['pending_email'];
  if (parts.length === 0 && pending !== undefined)
    return pending === null
      ? `withdrew ${whose} new mail address ${String(before?.['pending_email'])}`
      : `entered ${String(pending)} as ${whose} new mail address, to be confirmed`;
  return `changed ${whose} ${parts.join(' and ') || 'account'}${remainingKey(event)}`;
}

export const budgetOf = (event: AuditEvent): string => {
  const scope = event.target.type === 'budget' ? event.target.name : (readText(event, 'scope') ?? null);
  const interval = readText(event, 'interval');
  const adjective =
    interval === undefined ? '' : `${{ day: 'daily', week: 'weekly', month: 'monthly' }[interval] ?? interval} `;
  const who =
    scope === null ? '' : ` of ${formatBudgetScope({ scope, scope_name: readText(event, 'scope_name') ?? null })}`;
  return `the ${adjective}budget${who}`;
};

export function describeBudget(event: AuditEvent): string {
  const { before, after } = event;
  const limit = readMoney(event, 'limit_usd');
  const granted = readMoney(event, 'granted_usd');
  if (granted !== undefined)
    return `raised ${budgetOf(event)} by ${granted}${after?.['limit_usd'] === undefined ? ', for this period' : `, to ${limit}`}`;
  if (before === null) return `set ${budgetOf(event)} to ${limit ?? 'an amount'}`;
  const changes = describeChanges(event, ['scope', 'scope_name', 'interval']);
  if (changes === null) return `saved ${budgetOf(event)} without a change`;
  return `changed ${budgetOf(event)}${changes.replace(/^the limit(?= from)/, '').replace(/^(?! )/, ': ')}`;
}

const describeOrder = (event: AuditEvent): string => {
  const [task, model] = [readText(event, 'task') ?? '', readText(event, 'model') ?? ''];
  const names = [
    ...(Object.hasOwn(TASKS, task) ? [TASKS[task as keyof typeof TASKS].name] : []),
    ...(isModelId(model) ? [catalogName(model)] : []),
  ];
  return names.length === 0 ? '' : ` (${names.join(' · ')})`;
};

/** "$0.12 (Image · ImgModel A 2)", "$5.00 more for the daily budget of Mia". */
export function describeAsked(event: AuditEvent): string {
  const amount = readMoney(event, 'granted_usd') ?? readMoney(event, 'amount_usd');
  if (amount === undefined) return '';
  return readText(event, 'kind') === 'budget'
    ? ` ${amount} more for ${budgetOf(event)}`
    : ` ${amount}${describeOrder(event)}`;
}

const DECISIONS: Readonly<Record<string, string>> = {
  approved: 'approved',
  rejected: 'rejected',
  canceled: 'withdrew',
};

export function describeDecision(event: AuditEvent): string {
  const asked = describeAsked(event);
  const who = readText(event, 'requested_by');
  const whose = who === undefined ? 'a' : who === event.actor.name ? 'their own' : `${who}’s`;
  const what = `${whose} request${asked && ` for${asked}`}`;
  if (event.after?.['is_possible'] === false) return `could not approve ${what}, which was rejected`;
  return `${DECISIONS[String(event.after?.['status'])] ?? 'decided'} ${what}`;
}

export function describeCredit(event: AuditEvent): string {
  const amount = readMoney(event, 'amount_usd') ?? 'an amount';
  return readText(event, 'amount_usd')?.startsWith('-') ? `deducted ${amount}` : `added ${amount} of credit`;
}

export const generationOf = (event: AuditEvent): string => {
  const who = readText(event, 'created_by');
  return who === undefined ? `the generation${quote(targetName(event))}` : `a generation of ${who}`;
};

export function describeReview(event: AuditEvent): string {
  const isApproved = event.after?.['decision'] === 'approve';
  const amount = readMoney(event, 'amount_usd');
  return `${isApproved ? 'approved' : 'rejected'} ${generationOf(event)} in review${isApproved && amount ? ` and charged ${amount}` : ''}`;
}

const EXPORT_LABELS: Readonly<Record<string, string>> = {
  audit_pack: 'an audit pack',
  audit_log: 'the audit log',
  batch: 'a batch',
  ledger: 'the ledger',
  pivot: 'the breakdown',
  statement: 'a statement',
  margin: 'the margin',
};

export function describeExport(event: AuditEvent): string {
  const { type } = event.target;
  const [month, from, to] = ['month', 'from', 'to'].map((name) => readText(event, name)?.slice(0, 10));
  const period = month ? ` of ${month}` : `${from ? ` from ${from}` : ''}${to ? ` to ${to}` : ''}`;
  return `exported ${EXPORT_LABELS[type] ?? type.replaceAll('_', ' ')}${period}`;
}
