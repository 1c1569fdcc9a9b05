import { createHash } from 'node:crypto';
import { endpoints } from '#contract/api/endpoints.ts';
import type { Batch } from '#contract/resources/batch.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { idempotencyScope } from '#server/accounts/idempotency/idempotent-request.ts';
import { findLastStoredResponse } from '#server/accounts/idempotency/with-idempotency.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { CompatCall, CompatAdapter } from './compat-adapter.ts';
import { type CompatOrder, placeOrders } from './place-orders.ts';
import type { TaskInput } from './compat-input.ts';

/** From one attempt of a client to the next: our longest wait, and its pause. */
const ATTEMPT_MS = 16 * 60_000;
const INDEX_DIGITS = 9;
/** Keys that equal requests at the same time may have taken. */
const MAX_TRIES = 100;

export interface OnceRequest {
  api: CompatAdapter['id'];
  /** How often the client has sent the request before, as far as it says so. */
  attempts?: number;
  /** Hash of what makes two requests equal. */
  fingerprint: string;
  count: number;
  build(): Promise<{ order: CompatOrder; nameParameters: TaskInput['nameParameters'] }>;
}

/**
 * Places the orders of a request, once for its Idempotency-Key. A request that is known to be repeated gets the order of
 * the last one that was equal, also if that is still being placed.
 * @throws {ApiError} as `placeOrders`
 */
export async function placeOnce(call: CompatCall, request: OnceRequest): Promise<Generation[]> {
  const { deps, caller, idempotency_key: own } = call;
  const { attempts = 0 } = request;
  const { path } = request.count === 1 ? endpoints.create_generation : endpoints.create_batch;
  const prefix = `${own === undefined ? request.fingerprint : `own:${hash(own)}`}:`;
  const findLast = () =>
    findLastStoredResponse<Generation | Batch>(deps, {
      organization_id: caller.organization_id,
      scope: idempotencyScope(caller, path, request.api),
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
  const first = own === undefined && last ? readIndex(last.key.slice(prefix.length)) + 1 : 0;
  for (let index = first; index < first + MAX_TRIES; index += 1) {
    const key = `${prefix}${own === undefined ? String(index).padStart(INDEX_DIGITS, '0') : request.fingerprint}`;
    const placed = await place(call, built, request.count, key);
    if (placed.isNew) return placed.orders;
    // An equal request at the same time took the key. It is an earlier attempt of this one, or else another order.
    if (own === undefined && attempts === 0 && !call.disconnected.aborted) continue;
    return placed.orders ?? listOrders((await findLast())?.body);
  }
  throw new ApiError('service_unavailable', 'Too many equal requests are being placed. Try again in a moment.', {
    retry_after_seconds: 1,
  });
}

/** @throws if the key is not one that `placeOnce` chose */
function readIndex(suffix: string): number {
  const index = Number(suffix);
  if (suffix.length === INDEX_DIGITS && Number.isSafeInteger(index)) return index;
  throw new Error('A stored order has no number.');
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
  { order, nameParameters }: Awaited<ReturnType<OnceRequest['build']>>,
  count: number,
  idempotencyKey: string,
): Promise<Placed> {
  let isReplayed = false;
  const send: CompatCall['send'] = async (name, parts) => {
    const { body, replayed } = await sendOnce(name, parts);
    isReplayed = replayed;
    return body;
  };
  try {
    const orders = await placeOrders({ send }, order, { count, idempotency_key: idempotencyKey });
    return { isNew: !isReplayed, orders };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'idempotency_conflict') return { isNew: false, orders: null };
    throw nameParameters(error);
  }
}
