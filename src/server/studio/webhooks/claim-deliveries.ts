import { randomUUID } from 'node:crypto';
import { and, asc, eq, exists, inArray, isNotNull, isNull, lt, lte, notInArray, or, sql } from 'drizzle-orm';
import type { Deps } from '#server/platform/deps.ts';
import type { Db, Tx } from '#server/platform/db/db.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '#server/platform/db/schema/webhook-schema.ts';
import type { EventRow } from './event-body.ts';
import { ATTEMPTS_PER_ENDPOINT, DELIVERY_LEASE_MS } from './retry-schedule.ts';
import type { DeliveryTurns } from './delivery-turns.ts';

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
export type EndpointRow = typeof webhookEndpoints.$inferSelect;

export interface ClaimedDelivery {
  delivery: DeliveryRow;
  endpoint: EndpointRow;
  event: EventRow;
  owner: string;
}

const isEnabled = () => and(isNull(webhookEndpoints.deleted_at), isNull(webhookEndpoints.disabled_at));

const isDue = (now: Date) =>
  and(
    eq(webhookDeliveries.status, 'pending'),
    lte(webhookDeliveries.next_attempt_at, now),
    or(isNull(webhookDeliveries.lease_owner), lt(webhookDeliveries.lease_expires_at, now)),
  );

/** Those that have a turn, in no particular order. */
export async function listEndpointsWithDue({ db, clock }: Deps, turns: DeliveryTurns): Promise<string[]> {
  const due = db
    .select({ one: sql`1` })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.endpoint_id, webhookEndpoints.id), isDue(clock.now())));
  const rows = await db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(
      and(
        isEnabled(),
        notInArray(webhookEndpoints.id, turns.listBusy('endpoint')),
        notInArray(webhookEndpoints.organization_id, turns.listBusy('organization')),
        exists(due),
      ),
    );
  return rows.map(({ id }) => id);
}

/**
 * Claims due deliveries of an endpoint, oldest first, up to the number of concurrent attempts that all processes share.
 */
export async function claimDueDeliveries({ db, clock }: Deps, endpointId: string): Promise<ClaimedDelivery[]> {
  return db.transaction(async (tx) => {
    const [endpoint] = await tx
      .select()
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.id, endpointId), isEnabled()))
      .for('no key update');
    return endpoint ? claimForLockedEndpoint(tx, endpoint, clock.now()) : [];
  });
}

/**
 * Does the same in the caller's transaction.
 * @param endpoint its row, locked by the transaction so that concurrent claims can't exceed the limit
 */
export async function claimForLockedEndpoint(tx: Tx, endpoint: EndpointRow, now: Date): Promise<ClaimedDelivery[]> {
  const owner = randomUUID();
  const leased = await tx
    .select({ lease_expires_at: webhookDeliveries.lease_expires_at })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.endpoint_id, endpoint.id), isNotNull(webhookDeliveries.lease_owner)));
  const active = leased.filter(({ lease_expires_at }) => lease_expires_at !== null && lease_expires_at >= now);
  const free = ATTEMPTS_PER_ENDPOINT - active.length;
  if (free <= 0) return [];
  const due = tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.endpoint_id, endpoint.id), isDue(now)))
    .orderBy(asc(webhookDeliveries.next_attempt_at), asc(webhookDeliveries.id))
    .limit(free);
  const rows = await tx
    .update(webhookDeliveries)
    .set({ lease_owner: owner, lease_expires_at: new Date(now.getTime() + DELIVERY_LEASE_MS) })
    .where(inArray(webhookDeliveries.id, due))
    .returning();
  if (rows.length === 0) return [];
  const ids = rows.map(({ event_id }) => event_id);
  const events = await tx.select().from(webhookEvents).where(inArray(webhookEvents.id, ids));
  return rows.flatMap((delivery) => {
    const event = events.find(({ id }) => id === delivery.event_id);
    return event ? [{ delivery, endpoint, event, owner }] : [];
  });
}

/**
 * Releases claims without an attempt.
 * @param owner null releases claims of all processes, for use when none of them is running
 */
export async function releaseClaims(db: Db, owner: string | null, id?: string): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ lease_owner: null, lease_expires_at: null })
    .where(
      and(
        owner === null ? isNotNull(webhookDeliveries.lease_owner) : eq(webhookDeliveries.lease_owner, owner),
        id === undefined ? undefined : eq(webhookDeliveries.id, id),
      ),
    );
}
