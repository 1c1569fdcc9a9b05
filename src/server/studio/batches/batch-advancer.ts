import { and, asc, eq, exists, lt, not, or, sql } from 'drizzle-orm';
import { batches, batchOrders } from '#server/platform/db/schema/batch-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { repeatEvery } from '#server/platform/jobs/repeat-every.ts';
import { advanceBatch } from './advance-batch.ts';
import { enqueueBatch } from './enqueue-batch.ts';

/** Concurrent batches of one process; each may wait while a file on another server is measured. */
const MAX_CONCURRENT = 2;
const POLL_INTERVAL_MS = 30_000;
const BATCH_SIZE = 500;

/** @returns a function that stops claiming batches and resolves when active ones have finished */
export async function startBatchAdvancer(deps: Deps, shutdown: AbortSignal): Promise<() => Promise<void>> {
  const stopTaking = await deps.queue.work('batch.advance', MAX_CONCURRENT, ({ batch_id }) =>
    advanceBatch(deps, batch_id, shutdown),
  );
  const stopLooking = repeatEvery(deps, POLL_INTERVAL_MS, () => requeueStalledBatches(deps, POLL_INTERVAL_MS));
  await requeueStalledBatches(deps, 0);
  return async () => {
    await stopLooking();
    await stopTaking();
  };
}

/** Enqueues running batches with waiting orders or without active ones, in case their job was lost. */
export async function requeueStalledBatches(deps: Deps, stillForMs: number): Promise<number> {
  const { db } = deps;
  const before = new Date(deps.clock.now().getTime() - stillForMs);
  const isWaiting = and(eq(batchOrders.batch_id, batches.id), eq(batchOrders.state, 'waiting'));
  const isActive = and(eq(generations.batch_id, batches.id), sql`${generations.status} in ('queued', 'running')`);
  const rows = await db
    .select({ id: batches.id })
    .from(batches)
    .where(
      and(
        eq(batches.status, 'running'),
        stillForMs > 0 ? lt(batches.updated_at, before) : undefined,
        or(
          exists(db.select({ index: batchOrders.index }).from(batchOrders).where(isWaiting)),
          not(exists(db.select({ id: generations.id }).from(generations).where(isActive))),
        ),
      ),
    )
    .orderBy(asc(batches.updated_at))
    .limit(BATCH_SIZE);
  for (const { id } of rows) await db.transaction((tx) => enqueueBatch(deps, tx, id));
  return rows.length;
}
