import { randomUUID } from 'node:crypto';
import { and, eq, isNull, lt, lte, notInArray, or, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/db.ts';
import { callbackDeliveries, orderCallbacks } from '#server/platform/db/schema/webhook-schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { readGeneration } from '#server/studio/generations/read/find-generation.ts';
import type { CallbackFormats } from './order-callbacks.ts';
import { ATTEMPT_TIMEOUT_MS, DELIVERY_LEASE_MS, nextCallbackAt } from './retry-schedule.ts';
import type { DeliveryTurns } from './delivery-turns.ts';

export type CallbackDelivery = typeof callbackDeliveries.$inferSelect;

const isDue = (now: Date) =>
  and(
    lte(callbackDeliveries.next_attempt_at, now),
    or(isNull(callbackDeliveries.lease_owner), lt(callbackDeliveries.lease_expires_at, now)),
  );

const isOf = ({ generation_id, event, lease_owner }: CallbackDelivery) =>
  and(
    eq(callbackDeliveries.generation_id, generation_id),
    eq(callbackDeliveries.event, event),
    eq(callbackDeliveries.lease_owner, lease_owner ?? ''),
  );

/** Claims the oldest due delivery of each key that has a turn. */
export async function claimDueCallbacks({ db, clock }: Deps, turns: DeliveryTurns): Promise<CallbackDelivery[]> {
  const now = clock.now();
  const { generation_id, event, organization_id, key_id, receiver, next_attempt_at } = callbackDeliveries;
  const oldest = db
    .selectDistinctOn([key_id], { generation_id, event })
    .from(callbackDeliveries)
    .where(
      and(
        isDue(now),
        notInArray(organization_id, turns.listBusy('organization')),
        notInArray(key_id, turns.listBusy('key')),
        notInArray(receiver, turns.listBusy('receiver')),
      ),
    )
    .orderBy(key_id, next_attempt_at);
  return (
    db
      .update(callbackDeliveries)
      .set({ lease_owner: randomUUID(), lease_expires_at: new Date(now.getTime() + DELIVERY_LEASE_MS) })
      // Another process may have claimed it meanwhile.
      .where(and(isDue(now), sql`(${generation_id}, ${event}) in (${oldest})`))
      .returning()
  );
}

/**
 * Sends one, with the current state of its order.
 * @returns why it was not acknowledged; null: it was, or there is nothing to tell
 * @throws the reason of the signal, or a database error
 */
export async function attemptCallback(
  deps: Deps,
  formats: CallbackFormats,
  { generation_id, event }: CallbackDelivery,
  signal: AbortSignal,
): Promise<string | null> {
  const { db, fetcher } = deps;
  const [callback] = await db.select().from(orderCallbacks).where(eq(orderCallbacks.generation_id, generation_id));
  const format = callback && formats[callback.format];
  if (!format) return null;
  const { organization_id, url } = callback;
  const order = await readGeneration(deps, organization_id, generation_id);
  const request = await format.build(deps, organization_id, order, event);
  if (!request) return null;
  const headers = { 'content-type': 'application/json', ...request.headers };
  try {
    const options = { headers, body: request.body, timeoutMs: ATTEMPT_TIMEOUT_MS, signal };
    const { status_code } = await fetcher.post(url, options);
    return status_code >= 200 && status_code <= 299 ? null : `status ${status_code}`;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof OutboundError) return error.code;
    throw error;
  }
}

/** Deletes what was acknowledged or has been tried for about a day, and schedules the next attempt of the rest. */
export async function recordCallback(
  { db, clock }: Deps,
  delivery: CallbackDelivery,
  problem: string | null,
): Promise<void> {
  const tries = delivery.tries + 1;
  const nextAttemptAt = problem === null ? null : nextCallbackAt(tries, clock.now());
  if (nextAttemptAt === null) await db.delete(callbackDeliveries).where(isOf(delivery));
  else
    await db
      .update(callbackDeliveries)
      .set({ tries, next_attempt_at: nextAttemptAt, lease_owner: null, lease_expires_at: null })
      .where(isOf(delivery));
}

/** Releases a claim without an attempt; null releases those of all processes, for use when none of them is running. */
export async function releaseCallbacks(db: Db, delivery: CallbackDelivery | null): Promise<void> {
  await db
    .update(callbackDeliveries)
    .set({ lease_owner: null, lease_expires_at: null })
    .where(delivery ? isOf(delivery) : undefined);
}
