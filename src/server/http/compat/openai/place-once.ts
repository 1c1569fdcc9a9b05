import { createHash } from 'node:crypto';
import { endpoints } from '#contract/endpoints.ts';
import type { Batch } from '#contract/resources/batch.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { idempotencyScope } from '#server/accounts/idempotency/idempotent-request.ts';
import { findLastStoredResponse } from '#server/accounts/idempotency/with-idempotency.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { CompatCall } from '../front-end.ts';
import { assertSucceeded, type CompatOrder, OrderError, placeOrders, waitForOrders } from '../place-orders.ts';
import type { TaskInput } from '../task-input.ts';

const WAIT_SECONDS = 15 * 60;
/** From one attempt of a client to the next: our longest wait, and its pause. */
const ATTEMPT_MS = (WAIT_SECONDS + 60) * 1_000;

interface OrderRequest {
  /** Hash of what makes two requests equal. */
  fingerprint: string;
  count: number;
  build(): Promise<{ order: CompatOrder; nameParameters: TaskInput['nameParameters'] }>;
}

/**
 * Places the orders of a request once, waits for their results and presents them.
 * @throws {ApiError} as `placeOrders`; {OrderError} for any error after that, so that the client knows that orders exist
 */
export async function runOrders<T>(
  call: CompatCall,
  request: OrderRequest,
  present: (done: readonly Generation[]) => Promise<T>,
): Promise<T> {
  // Taken before the order, so that nothing is ordered whose result nobody may wait for.
  const release = call.wait_slots.acquire(call.caller.key_id);
  if (!release)
    throw new ApiError('rate_limit_exceeded', 'Too many requests of this key are waiting for results.', {
      retry_after_seconds: 5,
    });
  try {
    const orders = await placeOnce(call, request);
    return await completeOrders({ ...call, wait_slots: { acquire: () => () => undefined } }, orders, present);
  } finally {
    release();
  }
}

async function completeOrders<T>(
  call: CompatCall,
  orders: readonly Generation[],
  present: (done: readonly Generation[]) => Promise<T>,
): Promise<T> {
  let known = orders;
  try {
    known = await waitForOrders(call, orders, { seconds: WAIT_SECONDS });
    assertSucceeded(known, call.stopping);
    return await present(known);
  } catch (error) {
    if (error instanceof OrderError) throw error;
    const message = error instanceof ApiError ? error.message : 'The result can’t be read right now.';
    const where = `It will be in Generations, as ${orders.map(({ id }) => id).join(', ')}.`;
    throw new OrderError(known, `${message} ${where}`, null, { cause: error });
  }
}

/**
 * Places the orders of a request, once for its Idempotency-Key. OpenAI’s client repeats requests without one, but counts
 * its attempts: a repeated request gets the order of the last one that was equal, also if that is still being placed.
 * @throws {ApiError} as `placeOrders`
 */
async function placeOnce(call: CompatCall, request: OrderRequest): Promise<Generation[]> {
  const { deps, caller, idempotency_key: own } = call;
  const attempts = Number(call.request.headers['x-stainless-retry-count'] ?? 0) || 0;
  const { path } = request.count === 1 ? endpoints.create_generation : endpoints.create_batch;
  const prefix = `openai:${caller.key_id}:${own === undefined ? request.fingerprint : `own:${hash(own)}`}:`;
  const findLast = () =>
    findLastStoredResponse<Generation | Batch>(deps, {
      organization_id: caller.organization_id,
      scope: idempotencyScope(caller, path),
      prefix,
    });
  const last = await findLast();
  const isRecent = last && deps.clock.now().getTime() - last.created_at.getTime() <= attempts * ATTEMPT_MS;
  if (last && own !== undefined && last.key !== `${prefix}${request.fingerprint}`)
    throw new ApiError('idempotency_conflict', 'This Idempotency-Key was used for a different request.');
  if (last && (own !== undefined || (attempts > 0 && isRecent))) return listOrders(last.body);

  const built = await request.build();
  // Its next attempt may have been faster.
  if (call.disconnected.aborted) throw new ApiError('invalid_request', 'The client left before the order was placed.');
  for (let index = last ? Number(last.key.slice(prefix.length)) + 1 : 0; ; index += 1) {
    const key = `${prefix}${own === undefined ? String(index).padStart(6, '0') : request.fingerprint}`;
    const placed = await place(call, built, request.count, key);
    if (placed.isNew) return placed.orders;
    // An equal request at the same time took the key. It is an earlier attempt of this one, or else another order.
    if (own === undefined && attempts === 0 && !call.disconnected.aborted) continue;
    return placed.orders ?? listOrders((await findLast())?.body);
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

const listOrders = (body: Generation | Batch | undefined): Generation[] => {
  if (!body) return [];
  return body.object === 'batch' ? (body.generations ?? []) : [body];
};

type Placed = { isNew: true; orders: Generation[] } | { isNew: false; orders: Generation[] | null };

/** @returns `orders: null` if an equal request with other copies of its files took the key */
async function place(
  { sendOnce }: CompatCall,
  { order, nameParameters }: Awaited<ReturnType<OrderRequest['build']>>,
  count: number,
  idempotency_key: string,
): Promise<Placed> {
  let isReplayed = false;
  const send: CompatCall['send'] = async (name, parts) => {
    const { body, replayed } = await sendOnce(name, parts);
    isReplayed = replayed;
    return body;
  };
  try {
    const orders = await placeOrders({ send }, order, { count, idempotency_key });
    return { isNew: !isReplayed, orders };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'idempotency_conflict') return { isNew: false, orders: null };
    throw nameParameters(error);
  }
}
