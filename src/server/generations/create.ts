import type { BodyOf } from '#contract/endpoints.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { Caller } from '../caller.ts';
import { localOrigin } from '../config.ts';
import type { Deps } from '../deps.ts';
import { type Answer, type KeyedRequest, earlierAnswer, once } from '../idempotency/once.ts';
import { judgeOrder } from './order.ts';
import { placeGeneration } from './place.ts';
import { type Pricing, priceOrder } from './price.ts';

export type Creating = Pricing & Pick<Deps, 'engines' | 'off' | 'queue'>;

/**
 * Starts a generation: judges it, reads lengths that decide the price, then in one transaction reserves the price and
 * queues the work. Decision: Errors (order of judgement), Idempotency
 * @param keyed undefined where no Idempotency-Key was sent
 * @throws {ApiError} 400 and 422 by judgement, 402 `insufficient_balance`, 409 `idempotency_conflict`, 503
 */
export async function createGeneration(
  deps: Creating,
  caller: Caller,
  asked: BodyOf<'create_generation'>,
  keyed: KeyedRequest | undefined,
  signal?: AbortSignal,
): Promise<Answer<Generation>> {
  const order = judgeOrder(deps, localOrigin(deps.config), asked);
  // Before the media are judged: they may be gone since the first request.
  const earlier = keyed && (await earlierAnswer<Generation>(deps, keyed));
  if (earlier) return earlier;
  const price = await priceOrder(deps, caller.organization_id, order, signal);
  return once(deps, keyed, async (tx) => ({
    status: 201,
    body: await placeGeneration(deps, tx, caller, { order, price, metadata: asked.metadata ?? null }),
  }));
}
