import type { Db } from '#server/platform/db/db.ts';
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Batch, BatchOrder } from '#contract/resources/batch.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { runGeneration } from '#server/studio/generations/run-generation.ts';
import type { TestClient } from '#server/app/testing/test-client.ts';
import { advanceBatch } from '#server/studio/batches/advance-batch.ts';

export const neverAborted: AbortSignal = new AbortController().signal;

/** A search of `limit` posts, which costs `limit` × 0.007. */
export const searchOrder = (query: string, limit = 10) => ({
  task: 'social.search',
  model: null,
  input: { platform: 'social_a', query, limit },
});

/** Advances a batch and runs its generations until nothing more happens, like a worker. */
export async function advanceAll(deps: Deps, batch_id: string): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    await advanceBatch(deps, batch_id, neverAborted, Infinity);
    const active = await listActive(deps.db, batch_id);
    if (active.length === 0) return;
    for (const id of active) await runGeneration(deps, id, { shutdown: neverAborted });
  }
}

export async function listActive(db: Db, batch_id: string): Promise<string[]> {
  const rows = await db
    .select({ id: generations.id })
    .from(generations)
    .where(and(eq(generations.batch_id, batch_id), inArray(generations.status, ['queued', 'running'])))
    .orderBy(asc(generations.id));
  return rows.map(({ id }) => id);
}

export const readBatch = async ({ call }: Pick<TestClient, 'call'>, batch_id: string): Promise<Batch> =>
  (await call('get_batch', { params: { batch_id } })).body;

export async function listOrders(
  { call }: Pick<TestClient, 'call'>,
  batch_id: string,
  query: Record<string, string | number> = {},
): Promise<BatchOrder[]> {
  return (await call('list_batch_orders', { params: { batch_id }, query: { limit: 200, ...query } })).body.data;
}
