import { TASKS } from '#contract/catalog.ts';
import type { AuditEvent } from '#contract/resources/audit-event.ts';
import type { Settings } from '#contract/resources/settings.ts';
import { ROLE_LABELS } from '#web/api/role-labels.ts';
import { formatList } from '#web/ui/formats.ts';
import { isObject } from '#web/ui/is-object.ts';
import { formatMoney } from '#contract/money/money.ts';
import { catalogName, isModelId } from '#web/api/known-models.ts';

type SettingName = Exclude<keyof Settings, 'object' | 'alerts'> | `alerts.${keyof NonNullable<Settings['alerts']>}`;

/** What a sentence calls each setting: "changed the approval limit from $0.15 to $0.05". */
const SETTING_LABELS = {
  organization_name: 'the name of the organization',
  members_see_own_work_only: '“Members see only their own work”',
  approval_above_usd: 'the approval limit',
  sharing_enabled: '“Allow share pages”',
  prompt_in_credentials: '“State the prompt in content credentials”',
  'alerts.low_balance_usd': 'the low-balance alert',
  'alerts.bill_difference_percent': 'the alert for bills that differ',
  'alerts.mail_roles': 'the roles that get alerts by mail',
  'alerts.mail_to': 'the addresses that get alerts',
  'alerts.verification_mail_to': 'the address of the daily verification',
} satisfies Record<SettingName, string>;

/** Other fields whose names do not read well. */
const FIELD_LABELS: Readonly<Record<string, string>> = {
  ...SETTING_LABELS,
  limit_usd: 'the limit',
  extra_usd: 'the extra of this period',
  warn_at_percent: 'the warning (%)',
  scopes: 'what it may do',
  expires_at: 'the expiry',
  email: 'the mail address',
  pending_email: 'the mail address to confirm',
  text_model: 'the text model',
};

const readField = (fields: AuditEvent['before'], name: string): unknown => fields?.[name];

const DATE = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** Formats a value of a field for a sentence. */
function formatField(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : formatList(value.map((item) => formatField(name, item)));
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return 'other values';
  if (name.endsWith('_usd')) return formatMoney(value);
  if (DATE.test(value)) return `${value.slice(0, 16).replace('T', ' ')} UTC`;
  if (Object.hasOwn(ROLE_LABELS, value)) return ROLE_LABELS[value as keyof typeof ROLE_LABELS].label;
  return /^[a-z_]+$|@/.test(value) ? value : `“${value}”`;
}

/** Formats the name of a field; that of a model is "image.create imgmodel-a-2". */
function formatFieldName(name: string): string {
  const label = FIELD_LABELS[name];
  if (label !== undefined) return label;
  const [task = '', model = ''] = name.split(' ');
  if (!Object.hasOwn(TASKS, task)) return `the ${name.replaceAll('_', ' ')}`;
  const taskName = TASKS[task as keyof typeof TASKS].name;
  return isModelId(model) ? `${taskName} · ${catalogName(model)}` : taskName;
}

const MAX_CHANGES = 3;

/** Where both sides are objects, only the fields of them that differ count. */
function describeField(name: string, before: unknown, after: unknown): string {
  const label = formatFieldName(name);
  if ([before, after].some((value) => Array.isArray(value) && value.some(isObject))) return label;
  if (isObject(before) && isObject(after)) {
    const differing = Object.keys({ ...before, ...after }).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    );
    const [field] = differing;
    if (differing.length !== 1 || field === undefined) return label;
    return `${formatFieldName(field)} of ${label} from ${formatField(field, before[field])} to ${formatField(field, after[field])}`;
  }
  if (isObject(after)) return before === undefined ? `${label} (new)` : label;
  if (isObject(before)) return after === undefined ? `${label} (removed)` : label;
  if (before === undefined) return `${label} to ${formatField(name, after)}`;
  return `${label} from ${formatField(name, before)} to ${formatField(name, after)}`;
}

/** Fields that say which object a change is of, or what follows from it, beside those that differ. */
const CONTEXT_FIELDS: ReadonlySet<string> = new Set([
  'scope',
  'scope_name',
  'interval',
  'granted_usd',
  'remaining_key',
]);

/** The fields of an event that differ, for its sentence and its table. */
export function changedFields({ before, after }: Pick<AuditEvent, 'before' | 'after'>): string[] {
  const isContext = (name: string) => before !== null && !Object.hasOwn(before, name) && CONTEXT_FIELDS.has(name);
  return Object.keys({ ...before, ...after }).filter((name) => !isContext(name));
}

/**
 * Lists the fields of an event that differ: "the limit from $5.00 to $3.00". Beyond three they are counted.
 * @returns null where the event has none
 */
export function describeChanges({ before, after }: Pick<AuditEvent, 'before' | 'after'>): string | null {
  // The sentence names the object anyway.
  const names = changedFields({ before: before ?? {}, after });
  const shown = names.length > MAX_CHANGES ? names.slice(0, MAX_CHANGES - 1) : names;
  const phrases = shown.map((name) => describeField(name, readField(before, name), readField(after, name)));
  const left = names.length - shown.length;
  return names.length === 0 ? null : formatList(left === 0 ? phrases : [...phrases, `${left} more values`]);
}
