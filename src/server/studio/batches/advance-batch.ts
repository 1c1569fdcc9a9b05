import type { Deps } from '#server/platform/deps.ts';
import { and, asc, eq } from 'drizzle-orm';
import { batches, batchOrders } from '#server/platform/db/schema/batch-schema.ts';
import type { Db } from '#server/platform/db/db.ts';
import { lockBatch } from '#server/studio/generations/create/replace-in-batch.ts';
import { findKeyOwner } from '#server/accounts/keys/find-caller.ts';
import { MAX_ACTIVE_ORDERS, countActive } from './active-orders.ts';
import { enqueueBatch } from './enqueue-batch.ts';
import { placeNextOrder } from './place-next-order.ts';
import type { BatchRow } from './read-batch.ts';

/** Other batches get their turn after this time. */
const SLICE_MS = 2_000;

/**
 * Places waiting orders until enough are active. Each order is a transaction that checks its precondition, so a call may
 * be interrupted anywhere, repeated, and run in several processes. @throws if the database can't be reached or on abort
 */
export async function advanceBatch(
  deps: Deps,
  batchId: string,
  signal: AbortSignal,
  sliceMs = SLICE_MS,
): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const [batch] = await deps.db.select().from(batches).where(eq(batches.id, batchId));
    if (batch?.status !== 'running') return;
    const next = await findWaitingOrder(deps.db, batchId);
    if (!next) return completeBatch(deps, batchId);
    if ((await countActive(deps.db, batchId)) >= MAX_ACTIVE_ORDERS) return;
    const owner = await findKeyOwner(deps, batch.created_by, '');
    if (!owner?.permissions.has('work.create')) {
      await failWaiting(deps, batch);
      continue;
    }
    const outcome = await placeNextOrder(deps, { batch, owner, next, signal });
    if (outcome.do === 'stop') return;
    if (outcome.do === 'wait') {
      const startAfter = new Date(Date.now() + outcome.seconds * 1000);
      return deps.db.transaction((tx) => enqueueBatch(deps, tx, batchId, startAfter));
    }
    if (performance.now() - startedMs > sliceMs) return deps.db.transaction((tx) => enqueueBatch(deps, tx, batchId));
  }
}

async function findWaitingOrder(db: Db, batchId: string) {
  const [row] = await db
    .select()
    .from(batchOrders)
    .where(and(eq(batchOrders.batch_id, batchId), eq(batchOrders.state, 'waiting')))
    .orderBy(asc(batchOrders.index))
    .limit(1);
  return row;
}

/** Completes a batch without waiting and active orders. */
async function completeBatch({ db, clock }: Deps, batchId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const batch = await lockBatch(tx, batchId);
    if (batch?.status !== 'running') return;
    const isWaiting = and(eq(batchOrders.batch_id, batchId), eq(batchOrders.state, 'waiting'));
    if ((await tx.$count(batchOrders, isWaiting)) > 0 || (await countActive(tx, batchId)) > 0) return;
    const now = clock.now();
    await tx
      .update(batches)
      .set({ status: 'completed', completed_at: now, updated_at: now })
      .where(eq(batches.id, batchId));
  });
}

/** The person or key that created the batch was removed, or may no longer create work. */
async function failWaiting({ db, clock }: Deps, { id }: BatchRow): Promise<void> {
  const error = {
    code: 'key_revoked',
    message: 'The person or key that created this batch can no longer create work, so this did not start.',
  };
  await db.transaction(async (tx) => {
    const batch = await lockBatch(tx, id);
    if (batch?.status !== 'running') return;
    await tx
      .update(batchOrders)
      .set({ state: 'failed', error })
      .where(and(eq(batchOrders.batch_id, id), eq(batchOrders.state, 'waiting')));
    await tx.update(batches).set({ updated_at: clock.now() }).where(eq(batches.id, id));
  });
}
