import { eq } from 'drizzle-orm';
import { formatUsd, parseUsd } from '#contract/money.ts';
import type { Settings, SettingsUpdate } from '#contract/resources/settings.ts';
import { recordAuditEvent } from '#server/audit/record-audit-event.ts';
import type { Caller } from '#server/core/caller.ts';
import type { Db, Tx } from '#server/db/db.ts';
import { organizations } from '#server/db/organization-schema.ts';
import type { Deps } from '#server/deps.ts';

type SettingsRow = Pick<typeof organizations.$inferSelect, 'members_see_own_work_only' | 'approval_above_micro_usd'>;

export async function readSettings({ db }: { db: Pick<Db, 'select'> }, organization_id: string): Promise<Settings> {
  return presentSettings(await findSettings(db, organization_id));
}

/** Changes the settings that are named, and records what differs. Decision: Settings */
export async function updateSettings(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  caller: Caller,
  { approval_above_usd, ...flags }: SettingsUpdate,
): Promise<Settings> {
  const { organization_id } = caller;
  return db.transaction(async (tx) => {
    const row = await findSettings(tx, organization_id, 'for update');
    const limit = approval_above_usd === null || approval_above_usd === undefined ? null : parseUsd(approval_above_usd);
    const next = { ...row, ...flags, ...(approval_above_usd === undefined ? {} : { approval_above_micro_usd: limit }) };
    const { members_see_own_work_only, approval_above_micro_usd } = next;
    await tx
      .update(organizations)
      .set({ members_see_own_work_only, approval_above_micro_usd })
      .where(eq(organizations.id, organization_id));
    const [before, after] = [presentSettings(row), presentSettings(next)];
    const changed = (Object.keys(after) as (keyof Settings)[]).filter((name) => before[name] !== after[name]);
    if (changed.length > 0) {
      const pick = (from: Settings) => Object.fromEntries(changed.map((name) => [name, from[name]]));
      const change = { target: { type: 'settings' }, before: pick(before), after: pick(after) };
      await recordAuditEvent(tx, caller, { action: 'settings.changed', ...change }, clock.now());
    }
    return after;
  });
}

async function findSettings(
  db: Pick<Db | Tx, 'select'>,
  organization_id: string,
  lock?: 'for update',
): Promise<SettingsRow> {
  const { members_see_own_work_only, approval_above_micro_usd } = organizations;
  const query = db
    .select({ members_see_own_work_only, approval_above_micro_usd })
    .from(organizations)
    .where(eq(organizations.id, organization_id));
  const [row] = await (lock ? query.for('no key update') : query);
  if (!row) throw new Error('The organization of a caller has no row.');
  return row;
}

const presentSettings = ({ members_see_own_work_only, approval_above_micro_usd }: SettingsRow): Settings => ({
  object: 'settings',
  members_see_own_work_only,
  approval_above_usd: approval_above_micro_usd === null ? null : formatUsd(approval_above_micro_usd),
});
