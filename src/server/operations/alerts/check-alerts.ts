import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { ALERT_TITLES } from '#contract/alert-kinds.ts';
import { recordAuditEvent, serviceActor } from '#server/accounts/audit/record-audit-event.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { alerts } from '#server/platform/db/alert-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { insertEvent } from '#server/studio/webhooks/insert-event.ts';
import { type AlertCause, dayOf } from './alert-cause.ts';
import { findLowBalance, findUnusualSpending } from './balance-causes.ts';
import { findBudgetCauses } from './budget-causes.ts';
import { findEndpointCauses, findPausedProviders } from './connection-causes.ts';
import { mailAlerts } from './mail-alerts.ts';
import { type AlertRow, presentAlert } from './present-alert.ts';
import { findVerificationMismatch, findWaitingReviews } from './review-causes.ts';

type CauseKey = Pick<AlertRow, 'kind' | 'subject_id' | 'period'>;
const keyOf = ({ kind, subject_id, period }: CauseKey): string => JSON.stringify([kind, subject_id, period]);

/**
 * Raises an alert for each cause and period that has none yet, and resolves those whose cause is over. Alert, audit
 * event, webhook event and mails are one transaction; one process at a time checks an organization. Decision: Alerts
 */
export async function checkAlerts(deps: Deps, organization_id: string): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`alerts ${organization_id}`}, 0))`);
    const unresolved = await tx
      .select()
      .from(alerts)
      .where(and(eq(alerts.organization_id, organization_id), isNull(alerts.resolved_at)));
    const causes = (await findCauses(deps, tx, organization_id, now)).map((cause) => {
      const lasting = unresolved.find(({ kind, subject_id }) => kind === cause.kind && subject_id === cause.subject_id);
      return { ...cause, period: cause.period ?? lasting?.period ?? dayOf(now) };
    });
    await resolveAlerts(tx, unresolved, new Set(causes.map(keyOf)), now);
    const known = new Set(unresolved.map(keyOf));
    const raised: AlertRow[] = [];
    for (const cause of causes.filter((each) => !known.has(keyOf(each)))) {
      const row = await raiseAlert(tx, organization_id, cause, now);
      if (row) raised.push(row);
    }
    if (raised.length > 0) await publishAlerts(deps, tx, organization_id, raised, now);
  });
}

const findCauses = async (deps: Deps, tx: Tx, organization_id: string, now: Date): Promise<AlertCause[]> => [
  ...(await findLowBalance(tx, organization_id)),
  ...(await findBudgetCauses(deps, tx, organization_id)),
  ...(await findUnusualSpending(tx, organization_id, now)),
  ...(await findPausedProviders(tx, organization_id)),
  ...(await findEndpointCauses(tx, organization_id, now)),
  ...(await findWaitingReviews(tx, organization_id, now)),
  ...(await findVerificationMismatch(tx, organization_id)),
];

async function resolveAlerts(
  tx: Tx,
  unresolved: readonly AlertRow[],
  current: ReadonlySet<string>,
  now: Date,
): Promise<void> {
  const ids = unresolved.filter((row) => !current.has(keyOf(row))).map(({ id }) => id);
  if (ids.length > 0) await tx.update(alerts).set({ resolved_at: now }).where(inArray(alerts.id, ids));
}

/** @returns null for a cause that comes back in the same period: its alert is open again, and nothing is sent */
async function raiseAlert(
  tx: Tx,
  organization_id: string,
  { kind, subject_id, subject_name, period, message }: AlertCause & CauseKey,
  now: Date,
): Promise<AlertRow | null> {
  const [row] = await tx
    .insert(alerts)
    .values({
      id: createId('alt', now),
      organization_id,
      kind,
      subject_id,
      subject_name,
      period,
      message,
      raised_at: now,
    })
    .onConflictDoNothing({ target: [alerts.organization_id, alerts.kind, alerts.subject_id, alerts.period] })
    .returning();
  if (row) return row;
  await tx
    .update(alerts)
    .set({ resolved_at: null, message })
    .where(
      and(
        eq(alerts.organization_id, organization_id),
        eq(alerts.kind, kind),
        eq(alerts.subject_id, subject_id),
        eq(alerts.period, period),
      ),
    );
  return null;
}

async function publishAlerts(
  deps: Deps,
  tx: Tx,
  organization_id: string,
  raised: readonly AlertRow[],
  now: Date,
): Promise<void> {
  for (const row of raised) {
    const event = {
      organization_id,
      type: 'alert.raised',
      generation_id: null,
      present: () => presentAlert(row),
    } as const;
    await insertEvent(deps, tx, event, now);
  }
  await mailAlerts(deps, tx, organization_id, raised);
  for (const { id, kind, message } of raised) {
    const target = { type: 'alert', id, name: ALERT_TITLES[kind] };
    const change = { action: 'alert.raised', target, after: { message } } as const;
    await recordAuditEvent(tx, serviceActor(organization_id), change, now);
  }
}
