import type { BatchEstimate } from '#contract/resources/batch.ts';
import { api } from '#web/api/api.ts';
import type { BatchOrder } from '../rows/build-orders.ts';

export type OrderEstimate = BatchEstimate['orders'][number];

/** Estimates by the JSON of their order, so that a change of one row prices that row alone. */
export type OrderEstimates = ReadonlyMap<string, OrderEstimate>;

/** Keeps a request with long prompts well below the limit of a body. */
const MAX_CHUNK_ORDERS = 200;
const MAX_CHUNK_LENGTH = 400_000;

export function splitIntoChunks(orders: readonly string[]): string[][] {
  const chunks: string[][] = [];
  let length = 0;
  for (const order of orders) {
    const last = chunks.at(-1);
    if (last && last.length < MAX_CHUNK_ORDERS && length + order.length <= MAX_CHUNK_LENGTH) {
      last.push(order);
      length += order.length;
    } else {
      chunks.push([order]);
      length = order.length;
    }
  }
  return chunks;
}

/**
 * Validates and prices orders, and leaves out those that are known.
 * @param orders as JSON
 */
export async function estimateOrders(
  orders: readonly string[],
  known: OrderEstimates,
  metadata: Readonly<Record<string, string>> | undefined,
  signal: AbortSignal,
): Promise<OrderEstimates> {
  const estimates = new Map(
    orders.flatMap((order) => {
      const estimate = known.get(order);
      return estimate ? [[order, estimate] as const] : [];
    }),
  );
  const missing = [...new Set(orders)].filter((order) => !estimates.has(order));
  for (const chunk of splitIntoChunks(missing)) {
    const body = {
      orders: chunk.map((order) => JSON.parse(order) as BatchOrder),
      ...(metadata ? { metadata } : {}),
    };
    const { orders: estimated } = await api.call('estimate_batch', { body, signal });
    for (const [at, estimate] of estimated.entries()) {
      const order = chunk[at];
      if (order !== undefined) estimates.set(order, estimate);
    }
  }
  return estimates;
}
