import { and, eq, isNull, sql } from 'drizzle-orm';
import type { WebhookEventType, WebhookObject } from '#contract/resources/webhook.ts';
import { createId } from '#server/platform/core/create-id.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '#server/platform/db/schema/webhook-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';

export interface EventDraft {
  organization_id: string;
  type: WebhookEventType;
  generation_id: string | null;
  /** Called only if an endpoint subscribes to the type. */
  present: () => WebhookObject | Promise<WebhookObject>;
}

/**
 * Records an event and a delivery for each subscribed endpoint, in the transaction of what it is about. A delivery to a
 * disabled endpoint is recorded as failed, so that it can be recovered later.
 */
export async function insertEvent(
  deps: Pick<Deps, 'queue'>,
  tx: Tx,
  { organization_id, type, generation_id, present }: EventDraft,
  now: Date,
): Promise<void> {
  const subscribers = await tx
    .select({ id: webhookEndpoints.id, disabled_at: webhookEndpoints.disabled_at })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.organization_id, organization_id),
        isNull(webhookEndpoints.deleted_at),
        sql`${webhookEndpoints.events} ? ${type}::text`,
      ),
    );
  if (subscribers.length === 0) return;
  const eventId = createId('evt', now);
  const object = await present();
  await tx
    .insert(webhookEvents)
    .values({ id: eventId, organization_id, type, generation_id, test: false, object, created_at: now });
  await tx.insert(webhookDeliveries).values(
    subscribers.map(({ id, disabled_at }) => ({
      id: createId('dlv', now),
      endpoint_id: id,
      event_id: eventId,
      status: disabled_at === null ? ('pending' as const) : ('failed' as const),
      next_attempt_at: disabled_at === null ? now : null,
      created_at: now,
    })),
  );
  await enqueueDelivery(deps, tx, eventId);
}
