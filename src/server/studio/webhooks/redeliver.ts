import { and, eq, isNull, lt, or, count, gt, gte } from 'drizzle-orm';
import type { WebhookDelivery, WebhookRecovery } from '#contract/resources/webhook.ts';
import type { Deps } from '#server/platform/deps.ts';
import { webhookDeliveries } from '#server/platform/db/schema/webhook-schema.ts';
import { findDelivery, readDelivery } from './find-delivery.ts';
import { findEnabledEndpoint } from './find-endpoint.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';

/**
 * Sends a delivery again now with the same event id and all its retries. One that is being sent right now stays as it
 * is. Decision: Deliveries
 * @throws {ApiError} 404 `not_found`; 409 `webhook_endpoint_disabled`
 */
export async function redeliver(deps: Deps, organizationId: string, id: string): Promise<WebhookDelivery> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const { delivery, endpoint } = await findDelivery({ db: tx }, organizationId, id);
    await findEnabledEndpoint({ db: tx }, organizationId, endpoint.id);
    const isIdle = or(isNull(webhookDeliveries.lease_owner), lt(webhookDeliveries.lease_expires_at, now));
    await tx
      .update(webhookDeliveries)
      .set({ status: 'pending', tries: 0, next_attempt_at: now })
      .where(and(eq(webhookDeliveries.id, delivery.id), isIdle));
    await enqueueDelivery(deps, tx, delivery.event_id);
    return readDelivery({ db: tx }, organizationId, id);
  });
}

/**
 * Resends failed deliveries of events since a time, each with all its retries. This includes deliveries that are
 * still being retried; one that is being sent right now is left alone. Decision: Recovery
 * @param options.dry_run only counts them
 * @throws {ApiError} 404 `webhook_endpoint_not_found`; 409 `webhook_endpoint_disabled`
 */
export async function recoverFailedDeliveries(
  deps: Deps,
  organizationId: string,
  endpointId: string,
  { since, dry_run = false }: { since: Date; dry_run?: boolean | undefined },
): Promise<WebhookRecovery> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const endpoint = await findEnabledEndpoint({ db: tx }, organizationId, endpointId);
    const isRetried = and(
      eq(webhookDeliveries.status, 'pending'),
      gt(webhookDeliveries.attempts, 0),
      or(isNull(webhookDeliveries.lease_owner), lt(webhookDeliveries.lease_expires_at, now)),
    );
    const recoverable = and(
      eq(webhookDeliveries.endpoint_id, endpoint.id),
      or(eq(webhookDeliveries.status, 'failed'), isRetried),
      gte(webhookDeliveries.created_at, since),
    );
    if (dry_run) {
      const [row] = await tx.select({ total: count() }).from(webhookDeliveries).where(recoverable);
      return { object: 'webhook_recovery', count: row?.total ?? 0 };
    }
    const recovered = await tx
      .update(webhookDeliveries)
      .set({ status: 'pending', tries: 0, next_attempt_at: now })
      .where(recoverable)
      .returning({ event_id: webhookDeliveries.event_id });
    const [first] = recovered;
    if (first) await enqueueDelivery(deps, tx, first.event_id);
    return { object: 'webhook_recovery', count: recovered.length };
  });
}
