import { eq } from 'drizzle-orm';
import type { Generation } from '#contract/resources/generation.ts';
import type { Caller } from '#server/core/caller.ts';
import { insecureOrigin } from '#server/core/config.ts';
import type { Tx } from '#server/db/db.ts';
import { generations } from '#server/db/schema.ts';
import {
  type StoredResponse,
  type IdempotentRequest,
  findStoredResponse,
  withIdempotency,
} from '#server/idempotency/with-idempotency.ts';
import { type RetryAttempt, validateRetry } from './validate-retry.ts';
import type { CreateGenerationDeps } from './create-generation.ts';
import { findGeneration } from './find-generation.ts';
import { validateRequest } from '#server/catalog/validate-request.ts';
import { enqueueGeneration } from './enqueue-generation.ts';
import { priceRequest } from './price-request.ts';

/**
 * Starts a failed or canceled generation again, as a new one at today's price. Decision: Retry
 * @param keyed undefined where no Idempotency-Key was sent
 * @throws {ApiError} 404 `generation_not_found`; 409 by the chain's rules; what `createGeneration` throws
 */
export async function retryGeneration(
  deps: CreateGenerationDeps,
  caller: Caller,
  id: string,
  keyed: IdempotentRequest | undefined,
  signal?: AbortSignal,
): Promise<StoredResponse<Generation>> {
  const earlier = keyed && (await findStoredResponse<Generation>(deps, keyed));
  if (earlier) return earlier;
  const { generation } = await findGeneration(deps, caller.organization_id, id);
  const { chain_id, metadata } = generation;
  const problem = validateRetry('generation', id, await readRetryChain(deps.db, chain_id));
  if (problem) {
    // The same request may have started the new attempt since.
    const answer = keyed && (await findStoredResponse<Generation>(deps, keyed));
    if (answer) return answer;
    throw problem;
  }
  const order = validateRequest(deps, insecureOrigin(deps.config), generation);
  const price = await priceRequest(deps, caller.organization_id, order, signal);
  return withIdempotency(deps, keyed, async (tx) => {
    await lockRetryChain(tx, chain_id);
    const problem = validateRetry('generation', id, await readRetryChain(tx, chain_id));
    if (problem) throw problem;
    const placement = { order, price, metadata, retry: { of: id, chain_id } };
    return { status: 201, body: await enqueueGeneration(deps, tx, caller, placement) };
  });
}

const readRetryChain = (db: Pick<Tx, 'select'>, chain_id: string): Promise<RetryAttempt[]> =>
  db
    .select({ id: generations.id, status: generations.status, retry_of: generations.retry_of })
    .from(generations)
    .where(eq(generations.chain_id, chain_id));

/** Retries of one chain come one after another: the second sees what the first made. */
async function lockRetryChain(tx: Tx, chain_id: string): Promise<void> {
  await tx.select({ id: generations.id }).from(generations).where(eq(generations.id, chain_id)).for('no key update');
}
