import { and, eq, isNull, lt, or } from 'drizzle-orm';
import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import type { Deps } from '#server/deps.ts';
import { webhookDeliveries } from '#server/db/webhook-schema.ts';
import { findDelivery, readDelivery } from './find-delivery.ts';
import { findEnabledEndpoint } from './find-endpoint.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';

/**
 * Sends a delivery again now with the same event id and all its retries. One that is being sent right now stays as it
 * is. Decision: Deliveries
 * @throws {ApiError} 404 `not_found`; 409 `webhook_endpoint_disabled`
 */
export async function redeliver(
  deps: Pick<Deps, 'db' | 'clock' | 'queue'>,
  organization_id: string,
  id: string,
): Promise<WebhookDelivery> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const { delivery, endpoint } = await findDelivery({ db: tx }, organization_id, id);
    await findEnabledEndpoint({ db: tx }, organization_id, endpoint.id);
    const is_idle = or(isNull(webhookDeliveries.lease_owner), lt(webhookDeliveries.lease_expires_at, now));
    await tx
      .update(webhookDeliveries)
      .set({ status: 'pending', tries: 0, next_attempt_at: now })
      .where(and(eq(webhookDeliveries.id, delivery.id), is_idle));
    await enqueueDelivery(deps, tx, delivery.event_id);
    return readDelivery({ db: tx }, organization_id, id);
  });
}
