import { and, asc, eq, inArray, or } from 'drizzle-orm';
import type { AuditAction } from '#contract/audit-actions.ts';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { Batch, BatchCancel, BatchResume } from '#contract/resources/batch.ts';
import { recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { releaseFunds } from '#server/accounts/billing/fund-transfers.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { batches, batchOrders } from '#server/platform/db/schema/batch-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { markCanceled } from '#server/studio/generations/cancel-generation.ts';
import { lockBatch } from '#server/studio/generations/create/replace-in-batch.ts';
import { withIdempotency } from '#server/accounts/idempotency/with-idempotency.ts';
import { assertMayContinue } from '#server/accounts/keys/assert-may-act.ts';
import { countActive } from './active-orders.ts';
import { enqueueBatch } from './enqueue-batch.ts';
import { type BatchRow, batchNotFoundError, readBatch } from './read-batch.ts';

/** Starts no further order. Decision: Batches @throws {ApiError} 404 */
export const pauseBatch = (deps: Deps, caller: Caller, id: string): Promise<Batch> =>
  changeBatch(deps, caller, { id, action: 'batch.paused' }, async (tx, batch) => {
    if (batch.status !== 'running' || (await countWaiting(tx, batch.id)) === 0) return null;
    return { status: 'paused', pause_reason: 'requested', pause_message: null };
  });

/** Continues a paused batch. Decision: Batches @throws {ApiError} 404; 401 by `assertMayContinue` */
export const resumeBatch = (deps: Deps, caller: Caller, id: string, { stop_at_usd }: BatchResume): Promise<Batch> =>
  changeBatch(deps, caller, { id, action: 'batch.resumed' }, async (tx, batch) => {
    await assertMayContinue(tx, caller, batch);
    if (batch.status !== 'paused') return null;
    await enqueueBatch(deps, tx, batch.id);
    const stopAtMicroUsd = stop_at_usd == null ? null : parseUsd(stop_at_usd);
    return { ...RUNNING, ...(stop_at_usd === undefined ? {} : { stop_at_micro_usd: stopAtMicroUsd }) };
  });

/** Cancels waiting orders, and active generations if asked to. Decision: Batches @throws {ApiError} 404 */
export const cancelBatch = (deps: Deps, caller: Caller, id: string, { cancel_running }: BatchCancel): Promise<Batch> =>
  changeBatch(deps, caller, { id, action: 'batch.canceled' }, async (tx, batch, now) => {
    const waiting = await tx
      .update(batchOrders)
      .set({ state: 'canceled' })
      .where(and(eq(batchOrders.batch_id, batch.id), eq(batchOrders.state, 'waiting')))
      .returning({ index: batchOrders.index });
    const hasCanceled = cancel_running && (await cancelActive(deps, tx, batch, now));
    if (waiting.length === 0 && !hasCanceled) return null;
    return { status: 'canceled', pause_reason: null, pause_message: null, completed_at: now };
  });

/**
 * Lets failed orders wait again, as retries where they have a generation. Decision: Batches
 * @throws {ApiError} 404; 401 by `assertMayContinue`
 */
export const retryBatch = (deps: Deps, caller: Caller, id: string): Promise<Batch> =>
  changeBatch(deps, caller, { id, action: 'batch.retried' }, async (tx, batch) => {
    await assertMayContinue(tx, caller, batch);
    const ofFailed = tx
      .select({ id: generations.id })
      .from(generations)
      .where(and(eq(generations.batch_id, batch.id), eq(generations.status, 'failed')));
    const failed = await tx
      .update(batchOrders)
      .set({ state: 'waiting', error: null })
      .where(
        and(
          eq(batchOrders.batch_id, batch.id),
          or(
            eq(batchOrders.state, 'failed'),
            and(eq(batchOrders.state, 'placed'), inArray(batchOrders.generation_id, ofFailed)),
          ),
        ),
      )
      .returning({ index: batchOrders.index });
    if (failed.length === 0) return null;
    // A list that somebody paused waits for them.
    if (batch.status === 'paused') return {};
    await enqueueBatch(deps, tx, batch.id);
    return RUNNING;
  });

const RUNNING = { status: 'running', pause_reason: null, pause_message: null, completed_at: null } as const;

type Change = Partial<Omit<typeof batches.$inferInsert, 'id'>>;

/** Changes a batch under its lock, and records who did; null: nothing changes. */
async function changeBatch(
  deps: Deps,
  caller: Caller,
  { id, action }: { id: string; action: Extract<AuditAction, `batch.${string}`> },
  act: (tx: Tx, batch: BatchRow, now: Date) => Promise<Change | null>,
): Promise<Batch> {
  const now = deps.clock.now();
  const { organization_id } = caller;
  const { body } = await withIdempotency(deps, undefined, async (tx) => {
    const batch = await lockBatch(tx, id);
    if (batch?.organization_id !== organization_id) throw batchNotFoundError();
    const change = await act(tx, batch, now);
    if (change)
      await tx
        .update(batches)
        .set({ ...change, updated_at: now })
        .where(eq(batches.id, id));
    const changed = await readBatch({ db: tx }, organization_id, id);
    if (change) {
      const target = { type: 'batch', id, name: batch.name };
      const before = { status: batch.status, stop_at_usd: formatLimit(batch.stop_at_micro_usd) };
      const after = { status: changed.status, stop_at_usd: changed.stop_at_usd };
      await recordAuditEvent(tx, caller, { action, target, before, after }, now);
    }
    return { status: 200, body: changed };
  });
  return body;
}

const formatLimit = (limit: bigint | null): string | null => (limit === null ? null : formatUsd(limit));

const countWaiting = (tx: Tx, batchId: string): Promise<number> =>
  tx.$count(batchOrders, and(eq(batchOrders.batch_id, batchId), eq(batchOrders.state, 'waiting')));

/** @returns whether any was canceled */
async function cancelActive(deps: Deps, tx: Tx, { id, organization_id }: BatchRow, now: Date): Promise<boolean> {
  if ((await countActive(tx, id)) === 0) return false;
  // A generation that is being settled holds its row until it gets the account, so all rows are locked before it.
  const active = await tx
    .select({ id: generations.id })
    .from(generations)
    .where(and(eq(generations.batch_id, id), inArray(generations.status, ['queued', 'running'])))
    .orderBy(asc(generations.id))
    .for('no key update');
  const canceled = [];
  for (const row of active) canceled.push(await markCanceled(deps, tx, organization_id, row.id, now));
  for (const row of canceled) if (row) await releaseFunds(tx, row, row.amount_micro_usd, now);
  return canceled.some((row) => row !== null);
}
