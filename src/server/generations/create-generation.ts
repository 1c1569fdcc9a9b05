import type { BodyOf } from '#contract/endpoints.ts';
import type { Generation } from '#contract/resources/generation.ts';
import type { Caller } from '#server/core/caller.ts';
import { insecureOrigin } from '#server/core/config.ts';
import type { Deps } from '#server/deps.ts';
import {
  type StoredResponse,
  type IdempotentRequest,
  findStoredResponse,
  withIdempotency,
} from '#server/idempotency/with-idempotency.ts';
import { validateRequest } from '#server/catalog/validate-request.ts';
import { enqueueGeneration } from './enqueue-generation.ts';
import { type PricingDeps, priceRequest } from './price-request.ts';

export type CreateGenerationDeps = PricingDeps & Pick<Deps, 'engines' | 'off' | 'queue'>;

/**
 * Starts a generation: judges it, reads lengths that decide the price, then in one transaction reserves the price and
 * queues the work. Decision: Order of checks, Idempotency
 * @param keyed undefined where no Idempotency-Key was sent
 * @throws {ApiError} 400 and 422 by judgement, 402 `insufficient_balance`, 409 `idempotency_conflict`, 503
 */
export async function createGeneration(
  deps: CreateGenerationDeps,
  caller: Caller,
  asked: BodyOf<'create_generation'>,
  keyed: IdempotentRequest | undefined,
  signal?: AbortSignal,
): Promise<StoredResponse<Generation>> {
  const order = validateRequest(deps, insecureOrigin(deps.config), asked);
  // Before the media are judged: they may be gone since the first request.
  const earlier = keyed && (await findStoredResponse<Generation>(deps, keyed));
  if (earlier) return earlier;
  const price = await priceRequest(deps, caller.organization_id, order, signal);
  return withIdempotency(deps, keyed, async (tx) => ({
    status: 201,
    body: await enqueueGeneration(deps, tx, caller, { order, price, metadata: asked.metadata ?? null }),
  }));
}
