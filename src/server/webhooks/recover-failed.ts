import { and, eq, gte } from 'drizzle-orm';
import type { WebhookRecovery } from '#contract/resources/webhook.ts';
import type { Deps } from '../deps.ts';
import { webhookDeliveries } from '../db/webhook-schema.ts';
import { findEnabledEndpoint } from './find-endpoint.ts';
import { wakeDeliverer } from './wake.ts';

/**
 * Sends again whatever failed of what happened since a time, each with all its retries before it.
 * @throws {ApiError} 404 `webhook_endpoint_not_found`; 409 `webhook_endpoint_disabled`
 */
export async function recoverFailed(
  deps: Pick<Deps, 'db' | 'clock' | 'queue'>,
  organization_id: string,
  endpoint_id: string,
  since: Date,
): Promise<WebhookRecovery> {
  return deps.db.transaction(async (tx) => {
    const endpoint = await findEnabledEndpoint({ db: tx }, organization_id, endpoint_id);
    const recovered = await tx
      .update(webhookDeliveries)
      .set({ status: 'pending', tries: 0, next_attempt_at: deps.clock.now() })
      .where(
        and(
          eq(webhookDeliveries.endpoint_id, endpoint.id),
          eq(webhookDeliveries.status, 'failed'),
          gte(webhookDeliveries.created_at, since),
        ),
      )
      .returning({ event_id: webhookDeliveries.event_id });
    const [first] = recovered;
    if (first) await wakeDeliverer(deps, tx, first.event_id);
    return { object: 'webhook_recovery', count: recovered.length };
  });
}
