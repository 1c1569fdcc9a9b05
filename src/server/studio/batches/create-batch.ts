import type { Deps } from '#server/platform/deps.ts';
import { parseUsd } from '#contract/money/money.ts';
import type { Batch, BatchCreate, BatchOrderCreate } from '#contract/resources/batch.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { type PricedOrder, assertNeedsNoApproval } from '#server/accounts/billing/approval-limit.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import { MAX_LISTED_INPUT_CHARACTERS, createListExcerpt } from '#server/platform/core/list-excerpt.ts';
import { createId } from '#server/platform/core/create-id.ts';
import { batches, batchOrders } from '#server/platform/db/schema/batch-schema.ts';
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
import { readBatch } from './read-batch.ts';
import { findLocalMediaIds } from '#server/studio/assets/find-local-media-ids.ts';
import { lockMedia } from '#server/studio/assets/lock-media.ts';
import { toTotalBillingError } from '#server/accounts/billing/billing-errors.ts';
import { planFromRequest } from '#server/studio/generations/create/create-generation.ts';
import type { GenerationPlan } from '#server/studio/generations/create/plan-generation.ts';
import type { FetchedMedia } from '#server/studio/generations/create/price-request.ts';
import { writeGeneration } from '#server/studio/generations/create/write-generation.ts';
import { atOrder } from './order-error.ts';

/**
 * Places orders together, or stores them as a list that a worker places one after the other. Decision: Batches
 * @param idempotentRequest undefined if no Idempotency-Key was sent
 * @throws {ApiError} 400 and 422 for an invalid order of `together`; 402 for the total; 409; 503
 */
export async function createBatch(
  deps: Deps,
  caller: Caller,
  body: BatchCreate,
  idempotentRequest: IdempotentRequest | undefined,
  signal?: AbortSignal,
): Promise<StoredResponse<Batch>> {
  const stored = idempotentRequest && (await findStoredResponse<Batch>(deps, idempotentRequest));
  if (stored) return stored;
  const plan = await planBatch(deps, caller, body, signal);
  return withIdempotency(deps, idempotentRequest, async (tx) => {
    await assertNeedsNoApproval(tx, caller, plan);
    return { status: 201, body: await writeBatch(deps, tx, caller, plan) };
  });
}

/** A batch that `writeBatch` creates. */
interface BatchPlan extends PricedOrder {
  id: string;
  body: BatchCreate;
  orders: readonly BatchOrderCreate[];
  /** By position: what starts with the batch, or what orders that start later are expected to cost. */
  start:
    | { mode: 'together'; generations: readonly GenerationPlan[] }
    | { mode: 'list'; estimates: readonly OrderEstimate[] };
}

/** Validates and prices a batch. @throws {ApiError} 400; 422; 503 */
export async function planBatch(
  deps: Deps,
  caller: Caller,
  body: BatchCreate,
  signal?: AbortSignal,
): Promise<BatchPlan> {
  const orders = withBatchMetadata(body.orders, body.metadata);
  const id = createId('bat', deps.clock.now());
  const plan = { id, body, orders, input: orders[0]?.input ?? {} };
  if (body.mode === 'together') {
    const generations = await planTogether(deps, caller, orders, id, signal);
    const amountMicroUsd = generations.reduce((sum, each) => sum + each.amount_micro_usd, 0n);
    return { ...plan, amount_micro_usd: amountMicroUsd, is_bounded: true, start: { mode: 'together', generations } };
  }
  const estimates = await estimateOrders(deps, caller, orders);
  return { ...plan, ...boundList(estimates, body.stop_at_usd ?? null), start: { mode: 'list', estimates } };
}

/**
 * Creates a planned batch, in the caller's transaction.
 * @param isApproved whether an administrator approved what it costs
 * @throws {ApiError} 402 for the total; 400; 401; 429
 */
export async function writeBatch(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  { id, body, orders, start, amount_micro_usd }: BatchPlan,
  { isApproved = false } = {},
): Promise<Batch> {
  const batch = { ...body, id, approved_micro_usd: isApproved ? amount_micro_usd : null };
  if (start.mode === 'list') {
    await assertActiveKey(tx, caller.key_id);
    await insertBatch(deps, tx, caller, { ...batch, estimated_micro_usd: sumEstimates(start.estimates) });
    await insertWaiting(tx, id, orders, start.estimates);
    await enqueueBatch(deps, tx, id);
    return readBatch({ db: tx }, caller.organization_id, id);
  }
  await insertBatch(deps, tx, caller, { ...batch, estimated_micro_usd: amount_micro_usd });
  const generations = await writeTogether(deps, tx, caller, orders, start.generations);
  const rows = orders.map((order, index) => ({
    ...toOrderRow(id, order, index),
    state: 'placed' as const,
    estimated_micro_usd: start.generations[index]?.amount_micro_usd ?? null,
    generation_id: generations[index]?.id ?? null,
  }));
  await tx.insert(batchOrders).values(rows);
  return { ...(await readBatch({ db: tx }, caller.organization_id, id)), generations };
}

/** The most that a list can cost: the prices of its orders, or the amount that it stops at. */
function boundList(
  estimates: readonly OrderEstimate[],
  stopAtUsd: string | null,
): { amount_micro_usd: bigint; is_bounded: boolean } {
  const sum = sumEstimates(estimates);
  const isKnown = estimates.every(({ price }) => price?.basis !== 'lower_bound');
  if (stopAtUsd === null) return { amount_micro_usd: sum, is_bounded: isKnown };
  const stopAt = parseUsd(stopAtUsd);
  return { amount_micro_usd: isKnown && sum < stopAt ? sum : stopAt, is_bounded: true };
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

const toOrderRow = (batchId: string, order: BatchOrderCreate, index: number) => ({
  batch_id: batchId,
  index,
  order,
  input_excerpt: createListExcerpt(order.input, MAX_LISTED_INPUT_CHARACTERS),
});

const ROWS_PER_INSERT = 250;

async function insertWaiting(
  tx: Tx,
  batchId: string,
  orders: readonly BatchOrderCreate[],
  estimates: readonly OrderEstimate[],
): Promise<void> {
  const rows = orders.map((order, index) => ({
    ...toOrderRow(batchId, order, index),
    state: 'waiting' as const,
    estimated_micro_usd: estimates[index]?.price?.amount_micro_usd ?? null,
  }));
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT)
    await tx.insert(batchOrders).values(rows.slice(at, at + ROWS_PER_INSERT));
}

/** For the media of all orders together. Decision: Prices */
const FETCH_TIMEOUT_MS = 15_000;

/** Validates and prices orders that start together. @throws {ApiError} 400; 401; 422; 503, naming the order */
async function planTogether(
  deps: Deps,
  caller: Caller,
  orders: readonly BatchOrderCreate[],
  batchId: string,
  disconnected?: AbortSignal,
): Promise<GenerationPlan[]> {
  const timeout = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  const fetched: FetchedMedia = new Map();
  const signal = disconnected ? AbortSignal.any([disconnected, timeout]) : timeout;
  const plans: GenerationPlan[] = [];
  for (const [index, order] of orders.entries()) {
    try {
      plans.push(
        await planFromRequest(deps, caller, order, { batch_id: batchId, output_name: order.name, fetched, signal }),
      );
    } catch (error) {
      throw atOrder(error, index);
    }
  }
  return plans;
}

async function writeTogether(
  deps: Deps,
  tx: Tx,
  caller: Caller,
  orders: readonly BatchOrderCreate[],
  plans: readonly GenerationPlan[],
): Promise<Generation[]> {
  // All media first: the first order locks the account, which other requests hold media locks for.
  const mediaIds = findLocalMediaIds(
    deps,
    orders.map(({ input }) => input),
  );
  await lockMedia(tx, caller.organization_id, mediaIds, 'key share');
  for (const [index, plan] of plans.entries()) {
    try {
      await writeGeneration(deps, tx, plan);
    } catch (error) {
      throw refuseTogether(error, plans, index);
    }
  }
  return plans.map(({ generation }) => generation);
}

/** Funds and budgets are refused for all orders, anything else for the one that it is about. */
function refuseTogether(error: unknown, plans: readonly GenerationPlan[], index: number): unknown {
  const restated = toTotalBillingError(
    error,
    plans.map(({ row }) => row),
    index,
  );
  return restated === error ? atOrder(error, index) : restated;
}
