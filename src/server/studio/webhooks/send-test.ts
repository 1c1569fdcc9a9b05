import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Deps } from '#server/platform/deps.ts';
import { webhookDeliveries, webhookEvents } from '#server/platform/db/schema/webhook-schema.ts';
import { readDelivery } from './find-delivery.ts';
import { findEnabledEndpoint } from './find-endpoint.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import { createSampleObject } from './sample-objects.ts';

/**
 * Sends an event about something that does not exist, of a type that the endpoint subscribes to. Decision:
 * Deliveries
 * @throws {ApiError} 404 `webhook_endpoint_not_found`; 409 `webhook_endpoint_disabled`
 */
export async function sendTest(deps: Deps, caller: Caller, endpointId: string): Promise<WebhookDelivery> {
  const { organization_id } = caller;
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const endpoint = await findEnabledEndpoint({ db: tx }, organization_id, endpointId);
    const [type = 'generation.succeeded'] = endpoint.events;
    const object = createSampleObject(deps, caller, type);
    const [event_id, id] = [createId('evt', now), createId('dlv', now)];
    await tx.insert(webhookEvents).values({
      id: event_id,
      organization_id,
      type,
      generation_id: object.object === 'generation' ? object.id : null,
      test: true,
      object,
      created_at: now,
    });
    await tx.insert(webhookDeliveries).values({
      id,
      endpoint_id: endpoint.id,
      event_id,
      status: 'pending',
      next_attempt_at: now,
      created_at: now,
    });
    await enqueueDelivery(deps, tx, event_id);
    return readDelivery({ db: tx }, organization_id, id);
  });
}
