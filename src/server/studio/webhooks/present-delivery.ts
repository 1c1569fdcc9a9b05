import { asc, inArray } from 'drizzle-orm';
import type { WebhookDelivery } from '#contract/resources/webhook.ts';
import type { Deps } from '#server/platform/deps.ts';
import { webhookAttempts } from '#server/platform/db/schema/webhook-schema.ts';
import type { DeliveryRow } from './claim-deliveries.ts';
import type { EventRow } from './event-body.ts';

type AttemptRow = typeof webhookAttempts.$inferSelect;

interface DeliveryWithEvent {
  delivery: DeliveryRow;
  event: Pick<EventRow, 'type' | 'generation_id' | 'test'>;
}

/** In the same order. Decision: Deliveries */
export async function presentDeliveries(
  { db }: { db: Pick<Deps['db'], 'select'> },
  rows: readonly DeliveryWithEvent[],
): Promise<WebhookDelivery[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ delivery }) => delivery.id);
  const attempts = await db
    .select()
    .from(webhookAttempts)
    .where(inArray(webhookAttempts.delivery_id, ids))
    .orderBy(asc(webhookAttempts.delivery_id), asc(webhookAttempts.number));
  const attemptsByDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return rows.map(({ delivery, event }) => presentDelivery(delivery, event, attemptsByDelivery.get(delivery.id) ?? []));
}

const presentDelivery = (
  row: DeliveryRow,
  event: DeliveryWithEvent['event'],
  attempts: readonly AttemptRow[],
): WebhookDelivery => ({
  id: row.id,
  object: 'webhook_delivery',
  endpoint_id: row.endpoint_id,
  event_id: row.event_id,
  event_type: event.type,
  generation_id: event.generation_id,
  test: event.test,
  status: row.status,
  // Leaves out an attempt that was recorded between reading the delivery and reading its attempts.
  attempts: attempts
    .filter(({ number }) => number <= row.attempts)
    .map(({ at, status_code, error, latency_ms, excerpt }) => ({
      at: at.toISOString(),
      status_code,
      error,
      latency_ms,
      excerpt,
    })),
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});
