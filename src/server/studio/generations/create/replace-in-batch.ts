import { and, eq } from 'drizzle-orm';
import { batches, batchOrders } from '#server/platform/db/schema/batch-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';

/** Locks a batch, so that one transaction at a time changes its orders. */
export async function lockBatch(tx: Tx, batchId: string): Promise<typeof batches.$inferSelect | null> {
  const [batch] = await tx.select().from(batches).where(eq(batches.id, batchId)).for('no key update');
  return batch ?? null;
}

/** Puts a retry in the place of the generation that it retries; a completed batch runs again. Decision: Batches */
export async function replaceInBatch(
  tx: Tx,
  batchId: string,
  { from, to, now }: { from: string; to: string; now: Date },
): Promise<void> {
  await tx
    .update(batchOrders)
    .set({ generation_id: to, state: 'placed', error: null })
    .where(and(eq(batchOrders.batch_id, batchId), eq(batchOrders.generation_id, from)));
  await tx
    .update(batches)
    .set({ status: 'running', completed_at: null, updated_at: now })
    .where(and(eq(batches.id, batchId), eq(batches.status, 'completed')));
}
