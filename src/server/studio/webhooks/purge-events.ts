import { and, eq, inArray, lt, notExists, sql } from 'drizzle-orm';
import type { Deps } from '#server/platform/deps.ts';
import { webhookDeliveries, webhookEvents } from '#server/platform/db/schema/webhook-schema.ts';
import { EVENT_RETENTION_MS } from './retry-schedule.ts';

const BATCH_SIZE = 1_000;

/** Events with a pending delivery are kept. */
export async function purgeEvents({ db, clock }: Deps): Promise<number> {
  const before = new Date(clock.now().getTime() - EVENT_RETENTION_MS);
  const toSend = db
    .select({ one: sql`1` })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.event_id, webhookEvents.id), eq(webhookDeliveries.status, 'pending')));
  const old = db
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(and(lt(webhookEvents.created_at, before), notExists(toSend)))
    .limit(BATCH_SIZE);
  for (let purged = 0; ;) {
    const rows = await db
      .delete(webhookEvents)
      .where(inArray(webhookEvents.id, old))
      .returning({ id: webhookEvents.id });
    purged += rows.length;
    if (rows.length < BATCH_SIZE) return purged;
  }
}
