import type { Deps } from '#server/platform/deps.ts';
import { parseUsd } from '#contract/money.ts';
import type { Batch, BatchCreate } from '#contract/resources/batch.ts';
import type { GenerationCreate } from '#contract/resources/generation.ts';
import { type PreparedOrder, assertNeedsNoApproval } from '#server/accounts/billing/approval-limit.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { MAX_LISTED_INPUT_CHARACTERS, createListExcerpt } from '#server/platform/core/list-excerpt.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { batches, batchOrders } from '#server/platform/db/batch-schema.ts';
import type { Tx } from '#server/platform/db/db.ts';
import {
  type IdempotentRequest,
  type StoredResponse,
  findStoredResponse,
  withIdempotency,
} from '#server/accounts/idempotency/with-idempotency.ts';
import { assertActiveKey } from '#server/accounts/keys/lock-key.ts';
import { enqueueBatch } from './enqueue-batch.ts';
import { type OrderEstimate, estimateOrders, sumEstimates } from './estimate-orders.ts';
import { withBatchMetadata } from './order-metadata.ts';
import { prepareTogether } from './place-together.ts';
import { readBatch } from './read-batch.ts';

interface PrepareBatchOptions {
  signal?: AbortSignal;
  /** An administrator approved what it costs. */
  is_approved?: boolean;
}

/**
 * Places orders together, or stores them as a list that a worker places one after the other. Decision: Batches
 * @param idempotent_request undefined if no Idempotency-Key was sent
 * @throws {ApiError} 400 and 422 for an invalid order of `together`; 402 for the total; 409; 503
 */
export async function createBatch(
  deps: Deps,
  caller: Caller,
  body: BatchCreate,
  idempotent_request: IdempotentRequest | undefined,
  signal?: AbortSignal,
): Promise<StoredResponse<Batch>> {
  const stored = idempotent_request && (await findStoredResponse<Batch>(deps, idempotent_request));
  if (stored) return stored;
  const prepared = await prepareBatch(deps, caller, body, signal ? { signal } : {});
  return withIdempotency(deps, idempotent_request, async (tx) => {
    await assertNeedsNoApproval(tx, caller, prepared);
    return { status: 201, body: await prepared.place(tx) };
  });
}

/** Validates and prices a batch without placing it. @throws {ApiError} 400; 422; 503 */
export async function prepareBatch(
  deps: Deps,
  caller: Caller,
  body: BatchCreate,
  { signal, is_approved = false }: PrepareBatchOptions = {},
): Promise<PreparedOrder<Batch>> {
  const orders = withBatchMetadata(body.orders, body.metadata);
  const batch_id = createId('bat', deps.clock.now());
  const input = orders[0]?.input ?? {};
  if (body.mode === 'together') {
    const together = await prepareTogether(deps, caller, orders, { batch_id, ...(signal ? { signal } : {}) });
    const { amount_micro_usd } = together;
    return {
      amount_micro_usd,
      is_bounded: true,
      input,
      async place(tx) {
        const approved_micro_usd = is_approved ? amount_micro_usd : null;
        await insertBatch(deps, tx, caller, {
          ...body,
          id: batch_id,
          estimated_micro_usd: amount_micro_usd,
          approved_micro_usd,
        });
        const generations = await together.place(tx);
        const rows = orders.map((order, index) => ({
          ...toOrderRow(batch_id, order, index),
          state: 'placed' as const,
          estimated_micro_usd: together.prices[index] ?? null,
          generation_id: generations[index]?.id ?? null,
        }));
        await tx.insert(batchOrders).values(rows);
        return { ...(await readBatch({ db: tx }, caller.organization_id, batch_id)), generations };
      },
    };
  }
  const estimates = await estimateOrders(deps, caller, orders);
  const { amount_micro_usd, is_bounded } = boundList(estimates, body.stop_at_usd ?? null);
  return {
    amount_micro_usd,
    is_bounded,
    input,
    async place(tx) {
      await assertActiveKey(tx, caller.key_id);
      const approved_micro_usd = is_approved ? amount_micro_usd : null;
      const estimated_micro_usd = sumEstimates(estimates);
      await insertBatch(deps, tx, caller, { ...body, id: batch_id, estimated_micro_usd, approved_micro_usd });
      await insertWaiting(tx, batch_id, orders, estimates);
      await enqueueBatch(deps, tx, batch_id);
      return readBatch({ db: tx }, caller.organization_id, batch_id);
    },
  };
}

/** The most that a list can cost: the prices of its orders, or the amount that it stops at. */
function boundList(
  estimates: readonly OrderEstimate[],
  stop_at_usd: string | null,
): { amount_micro_usd: bigint; is_bounded: boolean } {
  const sum = sumEstimates(estimates);
  const is_known = estimates.every(({ price }) => price?.basis !== 'lower_bound');
  if (stop_at_usd === null) return { amount_micro_usd: sum, is_bounded: is_known };
  const stop_at = parseUsd(stop_at_usd);
  return { amount_micro_usd: is_known && sum < stop_at ? sum : stop_at, is_bounded: true };
}

type NewBatch = BatchCreate & { id: string; estimated_micro_usd: bigint; approved_micro_usd: bigint | null };

async function insertBatch(
  { clock }: Deps,
  tx: Tx,
  { organization_id, key_id }: Caller,
  { id, name = null, mode, stop_at_usd = null, metadata = null, estimated_micro_usd, approved_micro_usd }: NewBatch,
): Promise<void> {
  const now = clock.now();
  await tx.insert(batches).values({
    id,
    organization_id,
    name,
    mode,
    status: 'running',
    stop_at_micro_usd: stop_at_usd === null ? null : parseUsd(stop_at_usd),
    approved_micro_usd,
    estimated_micro_usd,
    metadata,
    created_by: key_id,
    created_at: now,
    updated_at: now,
  });
}

const toOrderRow = (batch_id: string, order: GenerationCreate, index: number) => ({
  batch_id,
  index,
  order,
  input_excerpt: createListExcerpt(order.input, MAX_LISTED_INPUT_CHARACTERS),
});

const ROWS_PER_INSERT = 250;

async function insertWaiting(
  tx: Tx,
  batch_id: string,
  orders: readonly GenerationCreate[],
  estimates: readonly OrderEstimate[],
): Promise<void> {
  const rows = orders.map((order, index) => ({
    ...toOrderRow(batch_id, order, index),
    state: 'waiting' as const,
    estimated_micro_usd: estimates[index]?.price?.amount_micro_usd ?? null,
  }));
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT)
    await tx.insert(batchOrders).values(rows.slice(at, at + ROWS_PER_INSERT));
}
