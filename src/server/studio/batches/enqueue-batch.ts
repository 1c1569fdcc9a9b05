import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';

/** Wakes the worker that starts the orders of a batch; at most one job of a batch waits. */
export const enqueueBatch = (
  { queue }: Pick<Deps, 'queue'>,
  tx: Tx,
  batchId: string,
  startAfter?: Date,
): Promise<void> =>
  queue.send(tx, 'batch.advance', { batch_id: batchId }, { key: batchId, ...(startAfter ? { startAfter } : {}) });
