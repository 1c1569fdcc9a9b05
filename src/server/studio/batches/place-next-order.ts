import { and, eq } from 'drizzle-orm';
import { formatMoney } from '#contract/money/money.ts';
import type { PauseReason } from '#contract/statuses.ts';
import { findExceededApprovalLimit } from '#server/accounts/billing/approval-limit.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { batches, batchOrders } from '#server/platform/db/schema/batch-schema.ts';
import { isDatabaseUnreachable } from '#server/platform/db/postgres/is-unreachable.ts';
import { sqlStateOf } from '#server/platform/db/postgres/sql-state.ts';
import type { Tx } from '#server/platform/db/db.ts';
import type { Deps } from '#server/platform/deps.ts';
import { planFromRequest } from '#server/studio/generations/create/create-generation.ts';
import { UNKNOWN_FAILURE } from '#server/studio/generations/failure.ts';
import type { GenerationPlan } from '#server/studio/generations/create/plan-generation.ts';
import { lockBatch } from '#server/studio/generations/create/replace-in-batch.ts';
import { planRetry } from '#server/studio/generations/retry/retry-generation.ts';
import { writeGeneration } from '#server/studio/generations/create/write-generation.ts';
import { MAX_ACTIVE_ORDERS, countActive } from './active-orders.ts';
import { readBatchMoney } from './batch-sums.ts';
import { toOrderError } from './order-error.ts';
import type { BatchRow } from './read-batch.ts';

/** `next`: look for another order; `stop`: the batch is paused or full; `wait`: a service or a limit is busy. */
export type PlaceOutcome = { do: 'next' | 'stop' } | { do: 'wait'; seconds: number };

interface NextOrder {
  batch: BatchRow;
  /** Who created the batch, with what they may do now. */
  owner: Caller;
  next: typeof batchOrders.$inferSelect;
  signal: AbortSignal;
}

const BUSY_SECONDS = 10;

/** The next order exceeds a limit, so the batch is paused. */
class PauseError extends Error {
  readonly reason: PauseReason;

  constructor(reason: PauseReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Places an order: generation, reservation and row in one transaction, so that it starts once whatever happens.
 * An order that can't start fails, and one above a limit pauses the batch. @throws if the database can't be reached
 */
export async function placeNextOrder(deps: Deps, order: NextOrder): Promise<PlaceOutcome> {
  const { batch, next, signal } = order;
  try {
    const plan = await planNext(deps, order);
    return await deps.db.transaction((tx) => writeNext(deps, tx, order, plan));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PauseError) return pause(deps, batch, error.reason, error.message);
    if (error instanceof ApiError) {
      if (error.code === 'insufficient_balance')
        return pause(deps, batch, error.budget ? 'budget' : 'funds', error.message);
      if (error.status === 429 || error.status >= 500)
        return { do: 'wait', seconds: error.retry_after_seconds ?? BUSY_SECONDS };
      return fail(deps, order, toOrderError(error));
    }
    if (isDatabaseUnreachable(error) || sqlStateOf(error) !== undefined) throw error;
    deps.log.error({ err: error, batch_id: batch.id, index: next.index }, 'order of a batch failed unexpectedly');
    return fail(deps, order, { code: UNKNOWN_FAILURE.code, message: UNKNOWN_FAILURE.message });
  }
}

const planNext = (deps: Deps, { batch, owner, next, signal }: NextOrder): Promise<GenerationPlan> =>
  next.generation_id === null
    ? planFromRequest(deps, owner, next.order, { batch_id: batch.id, output_name: next.order.name, signal })
    : planRetry(deps, owner, next.generation_id);

async function writeNext(
  deps: Deps,
  tx: Tx,
  { batch: { id }, owner, next }: NextOrder,
  plan: GenerationPlan,
): Promise<PlaceOutcome> {
  const batch = await lockBatch(tx, id);
  if (batch?.status !== 'running') return { do: 'stop' };
  const [waiting] = await tx
    .select({ generation_id: batchOrders.generation_id })
    .from(batchOrders)
    .where(isWaiting(next));
  if (!waiting || waiting.generation_id !== next.generation_id) return { do: 'next' };
  if ((await countActive(tx, id)) >= MAX_ACTIVE_ORDERS) return { do: 'stop' };
  await assertWithinLimits(tx, batch, owner, plan);
  await writeGeneration(deps, tx, plan);
  const generationId = plan.row.id;
  await tx.update(batchOrders).set({ state: 'placed', generation_id: generationId, error: null }).where(isRow(next));
  await tx.update(batches).set({ updated_at: deps.clock.now() }).where(eq(batches.id, id));
  return { do: 'next' };
}

const isRow = ({ batch_id, index }: NextOrder['next']) =>
  and(eq(batchOrders.batch_id, batch_id), eq(batchOrders.index, index));
const isWaiting = (next: NextOrder['next']) => and(isRow(next), eq(batchOrders.state, 'waiting'));

/** @throws {PauseError} above what the batch may cost */
async function assertWithinLimits(
  tx: Tx,
  batch: BatchRow,
  owner: Caller,
  { amount_micro_usd }: GenerationPlan,
): Promise<void> {
  const { spent_micro_usd, reserved_micro_usd } = (await readBatchMoney({ db: tx }, [batch.id]))(batch.id);
  const used = spent_micro_usd + reserved_micro_usd;
  const cost = formatMoney(amount_micro_usd);
  const stopAt = batch.stop_at_micro_usd;
  if (stopAt !== null && used + amount_micro_usd > stopAt)
    throw new PauseError(
      'stop_at',
      `The next order costs ${cost}, and ${formatMoney(used)} of ${formatMoney(stopAt)} is used.`,
    );
  const total = { amount_micro_usd: used + amount_micro_usd, is_bounded: true };
  const limit = await findExceededApprovalLimit(tx, owner, total);
  if (limit !== null && total.amount_micro_usd > (batch.approved_micro_usd ?? limit))
    throw new PauseError(
      'approval',
      `With the next order this costs ${formatMoney(total.amount_micro_usd)}. ` +
        `Orders above ${formatMoney(limit)} need an approval of an administrator.`,
    );
}

async function pause(
  { db, clock }: Deps,
  { id }: BatchRow,
  reason: PauseReason,
  message: string,
): Promise<PlaceOutcome> {
  const paused = { status: 'paused', pause_reason: reason, pause_message: message } as const;
  await db
    .update(batches)
    .set({ ...paused, updated_at: clock.now() })
    .where(and(eq(batches.id, id), eq(batches.status, 'running')));
  return { do: 'stop' };
}

async function fail(
  { db, clock }: Deps,
  { batch, next }: NextOrder,
  error: NonNullable<typeof next.error>,
): Promise<PlaceOutcome> {
  await db.transaction(async (tx) => {
    if ((await lockBatch(tx, batch.id))?.status !== 'running') return;
    await tx.update(batchOrders).set({ state: 'failed', error }).where(isWaiting(next));
    await tx.update(batches).set({ updated_at: clock.now() }).where(eq(batches.id, batch.id));
  });
  return { do: 'next' };
}
