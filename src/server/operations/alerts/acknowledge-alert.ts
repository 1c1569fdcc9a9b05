import { and, eq, isNull } from 'drizzle-orm';
import { ALERT_TITLES } from '#contract/alert-kinds.ts';
import type { Alert } from '#contract/resources/alert.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { alerts } from '#server/platform/db/schema/alert-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { presentAlert, selectAlerts } from './present-alert.ts';

/**
 * Acknowledges an open alert. One that is acknowledged or resolved stays as it is.
 * @throws {ApiError} 404 `not_found`
 */
export async function acknowledgeAlert({ db, clock }: Deps, caller: Caller, id: string): Promise<Alert> {
  const now = clock.now();
  const isAlert = and(eq(alerts.organization_id, caller.organization_id), eq(alerts.id, id));
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(alerts)
      .set({ acknowledged_at: now, acknowledged_by: caller.key_id })
      .where(and(isAlert, isNull(alerts.acknowledged_at), isNull(alerts.resolved_at)))
      .returning();
    const [found] = await selectAlerts(tx, isAlert, 1);
    if (!found) throw new ApiError('not_found', 'Alert not found.');
    if (changed) {
      const target = { type: 'alert', id, name: ALERT_TITLES[changed.kind] };
      const change = { action: 'alert.acknowledged', target, after: { message: changed.message } } as const;
      await recordAuditEvent(tx, caller, change, now);
    }
    return presentAlert(found.alert, found.acknowledger);
  });
}
