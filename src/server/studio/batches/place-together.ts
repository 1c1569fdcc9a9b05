import type { Deps } from '#server/platform/deps.ts';
import { findLocalMediaIds } from '#server/studio/assets/find-local-media-ids.ts';
import { lockMedia } from '#server/studio/assets/lock-media.ts';
import { toTotalBillingError } from '#server/accounts/billing/billing-errors.ts';
import type { Generation, GenerationCreate } from '#contract/resources/generation.ts';
import type { Caller } from '#server/platform/core/caller.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { prepareGeneration } from '#server/studio/generations/create-generation.ts';
import type { FetchedMedia } from '#server/studio/generations/price-request.ts';
import { atOrder } from './order-error.ts';

/** For the media of all orders together. Decision: Prices */
const FETCH_TIMEOUT_MS = 15_000;

export interface TogetherOrders {
  amount_micro_usd: bigint;
  /** By position. */
  prices: readonly bigint[];
  /** Places all orders, in the caller's transaction. @throws {ApiError} 402 for the total; 400; 401; 429 */
  place(tx: Tx): Promise<Generation[]>;
}

/** Validates and prices orders that start together. @throws {ApiError} 400; 401; 422; 503, naming the order */
export async function prepareTogether(
  deps: Deps,
  caller: Caller,
  orders: readonly GenerationCreate[],
  { batch_id, signal }: { batch_id: string; signal?: AbortSignal },
): Promise<TogetherOrders> {
  const timeout = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  const fetched: FetchedMedia = new Map();
  const options = { batch_id, fetched, signal: signal ? AbortSignal.any([signal, timeout]) : timeout };
  const prepared: Awaited<ReturnType<typeof prepareGeneration>>[] = [];
  for (const [index, order] of orders.entries()) {
    try {
      prepared.push(await prepareGeneration(deps, caller, order, options));
    } catch (error) {
      throw atOrder(error, index);
    }
  }
  return {
    amount_micro_usd: prepared.reduce((sum, { amount_micro_usd }) => sum + amount_micro_usd, 0n),
    prices: prepared.map(({ amount_micro_usd }) => amount_micro_usd),
    async place(tx) {
      // All media first: the first order locks the account, which other requests hold media locks for.
      const media_ids = findLocalMediaIds(
        deps,
        orders.map(({ input }) => input),
      );
      await lockMedia(tx, caller.organization_id, media_ids, 'key share');
      const placed: Generation[] = [];
      for (const [index, order] of prepared.entries()) {
        try {
          placed.push(await order.place(tx));
        } catch (error) {
          throw refuseTogether(error, prepared, index);
        }
      }
      return placed;
    },
  };
}

/** Funds and budgets are refused for all orders, anything else for the one that it is about. */
function refuseTogether(error: unknown, orders: Parameters<typeof toTotalBillingError>[1], index: number): unknown {
  const restated = toTotalBillingError(error, orders, index);
  return restated === error ? atOrder(error, index) : restated;
}
