import { and, eq, isNull, sql } from 'drizzle-orm';
import { recordAuditEvent, serviceActor } from '#server/accounts/audit/record-audit-event.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '#server/platform/db/schema/webhook-schema.ts';
import type { DeliveryAttempt } from './attempt-delivery.ts';
import { type ClaimedDelivery, claimForLockedEndpoint } from './claim-deliveries.ts';
import { endpointTarget } from './find-endpoint.ts';
import { DISABLE_AFTER_MS, nextAttemptAt } from './retry-schedule.ts';

/**
 * Records an attempt and schedules the next one. Switches off an endpoint that has failed for 14 days.
 * @param claimsNext whether to claim the next due delivery in the same transaction
 * @returns the claimed deliveries
 */
export async function recordAttempt(
  { db, clock, log }: Deps,
  { delivery, endpoint, owner }: ClaimedDelivery,
  attempt: DeliveryAttempt,
  claimsNext: boolean,
): Promise<ClaimedDelivery[]> {
  const now = clock.now();
  const acknowledged = attempt.error === null;
  const tries = delivery.tries + 1;
  const retryAt = acknowledged ? null : nextAttemptAt(tries, now);
  return db.transaction(async (tx) => {
    // Locks the endpoint first, in the same order as claims do, to avoid a deadlock.
    const { at: last_delivery_at } = attempt;
    const failingSince = acknowledged ? null : sql`coalesce(failing_since, ${now.toISOString()}::timestamptz)`;
    const [updatedEndpoint] = await tx
      .update(webhookEndpoints)
      .set({
        last_delivery_at,
        last_delivery_status: acknowledged ? 'succeeded' : 'pending',
        failing_since: failingSince,
      })
      .where(eq(webhookEndpoints.id, endpoint.id))
      .returning();
    const isEnabled = updatedEndpoint?.disabled_at === null && updatedEndpoint.deleted_at === null;
    const next_attempt_at = isEnabled ? retryAt : null;
    const status = acknowledged ? 'succeeded' : next_attempt_at ? 'pending' : 'failed';
    const [updated] = await tx
      .update(webhookDeliveries)
      .set({
        status,
        tries,
        next_attempt_at,
        attempts: sql`${webhookDeliveries.attempts} + 1`,
        lease_owner: null,
        lease_expires_at: null,
      })
      .where(and(eq(webhookDeliveries.id, delivery.id), eq(webhookDeliveries.lease_owner, owner)))
      .returning();
    // The lease expired, and another process attempts the delivery.
    if (!updated || !updatedEndpoint) return [];
    if (status === 'failed') {
      const last = { last_delivery_status: status } as const;
      await tx.update(webhookEndpoints).set(last).where(eq(webhookEndpoints.id, endpoint.id));
    }
    await tx
      .insert(webhookAttempts)
      .values({ ...attempt, delivery_id: delivery.id, number: updated.attempts, endpoint_id: endpoint.id });
    const since = updatedEndpoint.failing_since;
    if (
      since &&
      now.getTime() - since.getTime() >= DISABLE_AFTER_MS &&
      (await disableEndpoint(tx, updatedEndpoint, now))
    ) {
      log.warn({ endpoint_id: endpoint.id, failing_since: since }, 'webhook endpoint disabled');
    }
    return claimsNext && isEnabled ? claimForLockedEndpoint(tx, updatedEndpoint, now) : [];
  });
}

/** Pending deliveries become failed, so that they can be recovered once the endpoint is enabled again. */
async function disableEndpoint(tx: Tx, endpoint: typeof webhookEndpoints.$inferSelect, now: Date): Promise<boolean> {
  const disabled = await tx
    .update(webhookEndpoints)
    .set({ disabled_at: now, last_delivery_status: 'failed' })
    .where(and(eq(webhookEndpoints.id, endpoint.id), isNull(webhookEndpoints.disabled_at)))
    .returning({ id: webhookEndpoints.id });
  await tx
    .update(webhookDeliveries)
    .set({ status: 'failed', next_attempt_at: null })
    .where(and(eq(webhookDeliveries.endpoint_id, endpoint.id), eq(webhookDeliveries.status, 'pending')));
  if (disabled.length === 0) return false;
  const change = {
    action: 'webhook.disabled',
    target: endpointTarget(endpoint),
    after: { failing_since: endpoint.failing_since?.toISOString() ?? null },
  } as const;
  await recordAuditEvent(tx, serviceActor(endpoint.organization_id), change, now);
  return true;
}
