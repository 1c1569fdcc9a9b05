import type { AnyModelId, TaskId } from '#contract/ids.ts';
import { formatUsd, parseUsd } from '#contract/money/money.ts';
import type { Generation } from '#contract/resources/generation.ts';
import { isActive } from '#contract/statuses.ts';
import { followGeneration } from '#server/http/follow-generation.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { CompatCall } from './compat-adapter.ts';

/** Orders were placed, but there is no result to respond with. */
export class OrderError extends ApiError {
  readonly orders: readonly Generation[];
  /** Of the first order that failed; null: there is no result yet. */
  readonly failure: Generation['error'];
  /** The service stopped before the order had a result. */
  readonly isInterrupted: boolean;

  constructor(
    orders: readonly Generation[],
    message: string,
    failure: Generation['error'] = null,
    { isInterrupted = false, cause }: { isInterrupted?: boolean; cause?: unknown } = {},
  ) {
    super(failure === null ? 'service_unavailable' : 'internal_error', message, { cause });
    this.orders = orders;
    this.failure = failure;
    this.isInterrupted = isInterrupted;
  }
}

/**
 * Why an order has no result for a client: its own error, a review, or that the files of its result were kept although
 * they can't be read here. null: it has one, or may get one.
 */
export function failureOf({ id, status, error, output }: Generation): Generation['error'] {
  if (status === 'manual_review') {
    const message = `The result waits for a review by the operator, in Generations as ${id}. ${error?.message ?? ''}`;
    return { code: status, message: message.trim(), retryable: false };
  }
  const [file, ...others] = output.files ?? [];
  if (status !== 'succeeded' || !file || output.assets.length > 0) return error;
  const kept = others.length > 0 ? `Its ${others.length + 1} files are` : 'Its file is';
  const message = `The result can’t be read here: ${file.reason} ${kept} kept in Generations, as ${id}.`;
  return { code: 'unreadable_result', message, retryable: false };
}

/** Whether an order has a result for a client. */
export const hasResult = (order: Generation): boolean => order.status === 'succeeded' && failureOf(order) === null;

/** @throws {OrderError} for the first order that has no result */
export function assertSucceeded(orders: readonly Generation[], stopping?: AbortSignal): void {
  const rest = orders.find((order) => !hasResult(order));
  if (!rest) return;
  const failure = failureOf(rest);
  if (failure) throw new OrderError(orders, failure.message, failure);
  const { status } = rest;
  if (status === 'canceled') {
    const message = 'The order was canceled.';
    throw new OrderError(orders, message, { code: status, message, retryable: false });
  }
  const result = `Its result will be in Generations, as ${rest.id}.`;
  throw new OrderError(orders, `The order is still ${status}. ${result}`, null, {
    isInterrupted: stopping?.aborted === true,
  });
}

export interface CompatOrder {
  task: TaskId;
  /** null: a task without models. */
  model: AnyModelId | null;
  input: Readonly<Record<string, unknown>>;
  metadata: Readonly<Record<string, string>> | null;
}

/**
 * Places one order, or several that are reserved all or none.
 * @param count up to 16 @throws {ApiError} as `POST /v1/generations` and `POST /v1/batches`
 */
export async function placeOrders(
  call: Pick<CompatCall, 'send'>,
  order: CompatOrder,
  { count, idempotency_key }: { count: number; idempotency_key: string | undefined },
): Promise<Generation[]> {
  if (count === 1) return [await call.send('create_generation', { body: order, idempotency_key })];
  const body = { mode: 'together', orders: Array.from({ length: count }, () => order) };
  const { generations } = await call.send('create_batch', { body, idempotency_key });
  if (!generations) throw new Error('A batch of orders that start together has no generations.');
  return generations;
}

export const readOrder = (call: Pick<CompatCall, 'send'>, generationId: string): Promise<Generation> =>
  call.send('get_generation', { params: { generation_id: generationId } });

/**
 * Waits until every order has a result, the time is over, the client has gone or the service stops.
 * @returns the orders as they are then
 * @throws {ApiError} 429 if the key waits too often at the same time
 */
export async function waitForOrders(
  call: CompatCall,
  orders: readonly Generation[],
  { seconds }: { seconds: number },
): Promise<Generation[]> {
  if (orders.every(({ status }) => !isActive(status))) return [...orders];
  const release = acquireWaitSlot(call);
  try {
    return await followOrders(call, orders, { seconds });
  } finally {
    release();
  }
}

/** @returns a function that frees the slot @throws {ApiError} 429 if the key waits too often at the same time */
export function acquireWaitSlot({ wait_slots, caller }: Pick<CompatCall, 'wait_slots' | 'caller'>): () => void {
  const release = wait_slots.acquire(caller.key_id);
  if (release) return release;
  throw new ApiError('rate_limit_exceeded', 'Too many requests of this key are waiting for results.', {
    retry_after_seconds: 5,
  });
}

/** Waits like `waitForOrders`, in a slot that the caller has. */
export async function followOrders(
  call: CompatCall,
  orders: readonly Generation[],
  { seconds }: { seconds: number },
): Promise<Generation[]> {
  const endMs = performance.now() + seconds * 1_000;
  const signal = AbortSignal.any([call.disconnected, call.stopping]);
  const done: Generation[] = [];
  for (const { id } of orders)
    done.push(
      await followGeneration({
        read: () => readOrder(call, id),
        statusOf: ({ status }) => status,
        seconds: (endMs - performance.now()) / 1_000,
        signal,
      }),
    );
  return done;
}

/** Headers that say what orders cost, so far, and where they are in the dashboard and the ledger. */
export const orderHeaders = (orders: readonly Generation[]): Record<string, string> => ({
  'x-emulsion-generation-id': orders.map(({ id }) => id).join(', '),
  'x-emulsion-cost-usd': formatUsd(orders.reduce((sum, order) => sum + chargeOf(order), 0n)),
});

const chargeOf = ({ usage }: Generation): bigint =>
  usage.billing_status === 'released' ? 0n : parseUsd(usage.amount_usd) - parseUsd(usage.refunded_usd ?? '0');
