import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { Settings, SettingsUpdate } from '#contract/resources/settings.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { organizations } from '#server/platform/db/schema/organization-schema.ts';
import type { Deps } from '#server/platform/deps.ts';

const COLUMNS = {
  name: organizations.name,
  members_see_own_work_only: organizations.members_see_own_work_only,
  approval_above_micro_usd: organizations.approval_above_micro_usd,
  sharing_enabled: organizations.sharing_enabled,
  prompt_in_credentials: organizations.prompt_in_credentials,
  low_balance_micro_usd: organizations.low_balance_micro_usd,
  bill_difference_percent: organizations.bill_difference_percent,
  alert_mail_roles: organizations.alert_mail_roles,
  alert_mail_to: organizations.alert_mail_to,
  verification_mail_to: organizations.verification_mail_to,
};
type SettingsRow = Pick<typeof organizations.$inferSelect, keyof typeof COLUMNS>;

/** Who gets alerts is shown only to those who see alerts. */
export async function readSettings({ db }: { db: Pick<Db, 'select'> }, caller: Caller): Promise<Settings> {
  const settings = presentSettings(await findSettings(db, caller.organization_id));
  if (caller.permissions.has('alerts.read')) return settings;
  const { alerts: _alerts, ...visible } = settings;
  return visible;
}

/** Changes the settings that are named, and records what differs. Decision: Settings */
export async function updateSettings(
  { db, clock, queue }: Deps,
  caller: Caller,
  update: SettingsUpdate,
): Promise<Settings> {
  const { organization_id } = caller;
  return db.transaction(async (tx) => {
    const row = await findSettings(tx, organization_id, 'for update');
    const next = { ...row, ...namedColumns(update) };
    await tx.update(organizations).set(next).where(eq(organizations.id, organization_id));
    const [before, after] = [auditedFields(row), auditedFields(next)];
    if (!isDeepStrictEqual(before, after)) {
      const change = { action: 'settings.changed', target: { type: 'settings' }, before, after } as const;
      await recordAuditEvent(tx, caller, change, clock.now());
    }
    // A new threshold counts at once, not at the next check.
    if (update.alerts) await queue.send(tx, 'alerts.check', { organization_id }, { key: organization_id });
    return presentSettings(next);
  });
}

const parseLimit = (usd: string | null): bigint | null => (usd === null ? null : parseUsd(usd));

/** The columns that an update names. */
function namedColumns(update: SettingsUpdate) {
  const { organization_name, members_see_own_work_only, approval_above_usd, sharing_enabled } = update;
  const { prompt_in_credentials, alerts = {} } = update;
  const { low_balance_usd, bill_difference_percent, mail_roles, mail_to, verification_mail_to } = alerts;
  return {
    ...(organization_name !== undefined && { name: organization_name }),
    ...(members_see_own_work_only !== undefined && { members_see_own_work_only }),
    ...(approval_above_usd !== undefined && { approval_above_micro_usd: parseLimit(approval_above_usd) }),
    ...(sharing_enabled !== undefined && { sharing_enabled }),
    ...(prompt_in_credentials !== undefined && { prompt_in_credentials }),
    ...(low_balance_usd !== undefined && { low_balance_micro_usd: parseLimit(low_balance_usd) }),
    ...(bill_difference_percent !== undefined && { bill_difference_percent }),
    ...(mail_roles !== undefined && { alert_mail_roles: mail_roles }),
    ...(mail_to !== undefined && { alert_mail_to: mail_to }),
    ...(verification_mail_to !== undefined && { verification_mail_to }),
  };
}

async function findSettings(
  db: Pick<Db | Tx, 'select'>,
  organizationId: string,
  lock?: 'for update',
): Promise<SettingsRow> {
  const query = db.select(COLUMNS).from(organizations).where(eq(organizations.id, organizationId));
  const [row] = await (lock ? query.for('no key update') : query);
  if (!row) throw new Error('The organization of a caller has no row.');
  return row;
}

const formatLimit = (microUsd: bigint | null): string | null => (microUsd === null ? null : formatUsd(microUsd));

const presentSettings = (row: SettingsRow): Settings => ({
  object: 'settings',
  organization_name: row.name,
  members_see_own_work_only: row.members_see_own_work_only,
  approval_above_usd: formatLimit(row.approval_above_micro_usd),
  sharing_enabled: row.sharing_enabled,
  prompt_in_credentials: row.prompt_in_credentials,
  alerts: {
    low_balance_usd: formatLimit(row.low_balance_micro_usd),
    bill_difference_percent: row.bill_difference_percent,
    mail_roles: row.alert_mail_roles,
    mail_to: row.alert_mail_to,
    verification_mail_to: row.verification_mail_to,
  },
});

/** Flat, so that an event contains only the fields that differ. */
function auditedFields(row: SettingsRow): Record<string, unknown> {
  const { object: _object, alerts, ...fields } = presentSettings(row);
  const named = Object.entries(alerts ?? {}).map(([name, value]) => [`alerts.${name}`, value]);
  return { ...fields, ...Object.fromEntries(named) };
}
