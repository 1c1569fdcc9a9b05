import type { Generation } from '#contract/resources/generation.ts';
import { isActive } from '#contract/statuses.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { CompatCall } from '../compat-adapter.ts';
import { type OnceRequest, placeOnce } from '../place-once.ts';
import { acquireWaitSlot, assertSucceeded, followOrders, hasResult, OrderError } from '../place-orders.ts';

const WAIT_SECONDS = 15 * 60;

type OrderRequest = Pick<OnceRequest, 'fingerprint' | 'count' | 'build'>;

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
  const release = acquireWaitSlot(call);
  try {
    const attempts = Number(call.request.headers['x-stainless-retry-count'] ?? 0) || 0;
    const orders = await placeOnce(call, { ...request, api: 'openai', attempts });
    return await completeOrders(call, orders, present);
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
    known = await followOrders(call, orders, { seconds: WAIT_SECONDS });
    // What was made and paid is the result, also without the rest.
    const made = known.some(({ status }) => isActive(status)) ? [] : known.filter(hasResult);
    if (made.length === 0) assertSucceeded(known, call.stopping);
    return await present(made);
  } catch (error) {
    if (error instanceof OrderError) throw error;
    const message = error instanceof ApiError ? error.message : 'The result can’t be read right now.';
    const where = `It will be in Generations, as ${orders.map(({ id }) => id).join(', ')}.`;
    throw new OrderError(known, `${message} ${where}`, null, { cause: error });
  }
}
