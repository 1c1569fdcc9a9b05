import { and, eq, isNull, sql } from 'drizzle-orm';
import type { GenerationStatus } from '#contract/generation-status.ts';
import type { WebhookEventType } from '#contract/resources/webhook.ts';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/db/db.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '#server/db/webhook-schema.ts';
import { type GenerationRow, presentWithoutAssets } from '#server/generations/present-generation.ts';
import { readCreators } from '#server/keys/read-creators.ts';
import { createId } from '#server/core/create-id.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';

/** Decision: Times */
const EVENT_BY_STATUS = {
  queued: null,
  running: null,
  succeeded: 'generation.succeeded',
  failed: 'generation.failed',
  canceled: null,
  manual_review: 'generation.manual_review',
} as const satisfies Record<GenerationStatus, WebhookEventType | null>;

/**
 * Records an event and a delivery for each subscribed endpoint, in the transaction of the status change. A delivery
 * to a disabled endpoint is recorded as failed, so that it can be recovered later.
 * @param row the generation after the change
 */
export async function recordEvent(deps: Pick<Deps, 'queue'>, tx: Tx, row: GenerationRow): Promise<void> {
  const type = EVENT_BY_STATUS[row.status];
  if (type === null) return;
  const subscribers = await tx
    .select({ id: webhookEndpoints.id, disabled_at: webhookEndpoints.disabled_at })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.organization_id, row.organization_id),
        isNull(webhookEndpoints.deleted_at),
        sql`${webhookEndpoints.events} ? ${type}::text`,
      ),
    );
  if (subscribers.length === 0) return;
  const creatorOf = await readCreators({ db: tx }, [row.created_by]);
  const now = row.updated_at;
  const event_id = createId('evt', now);
  await tx.insert(webhookEvents).values({
    id: event_id,
    organization_id: row.organization_id,
    type,
    generation_id: row.id,
    test: false,
    object: presentWithoutAssets(row, creatorOf(row.created_by)),
    created_at: now,
  });
  await tx.insert(webhookDeliveries).values(
    subscribers.map(({ id, disabled_at }) => ({
      id: createId('dlv', now),
      endpoint_id: id,
      event_id,
      status: disabled_at === null ? ('pending' as const) : ('failed' as const),
      next_attempt_at: disabled_at === null ? now : null,
      created_at: now,
    })),
  );
  await enqueueDelivery(deps, tx, event_id);
}
