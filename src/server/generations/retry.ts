import { eq } from 'drizzle-orm';
import type { Generation } from '#contract/resources/generation.ts';
import type { Caller } from '../caller.ts';
import { localOrigin } from '../config.ts';
import type { Tx } from '../db/db.ts';
import { generations } from '../db/schema.ts';
import { type Answer, type KeyedRequest, earlierAnswer, once } from '../idempotency/once.ts';
import { type Link, chainProblem } from './chain.ts';
import type { Creating } from './create.ts';
import { findGeneration } from './find.ts';
import { judgeOrder } from './order.ts';
import { placeGeneration } from './place.ts';
import { priceOrder } from './price.ts';

/**
 * Starts a failed or canceled generation again, as a new one at today's price. Decision: Responses (Retry), Retry order
 * @param keyed undefined where no Idempotency-Key was sent
 * @throws {ApiError} 404 `generation_not_found`; 409 by the chain's rules; what `createGeneration` throws
 */
export async function retryGeneration(
  deps: Creating,
  caller: Caller,
  id: string,
  keyed: KeyedRequest | undefined,
  signal?: AbortSignal,
): Promise<Answer<Generation>> {
  const earlier = keyed && (await earlierAnswer<Generation>(deps, keyed));
  if (earlier) return earlier;
  const { generation } = await findGeneration(deps, caller.organization_id, id);
  const { chain_id, metadata } = generation;
  const problem = chainProblem('generation', id, await readChain(deps.db, chain_id));
  if (problem) {
    // The same request may have started the new attempt since.
    const answer = keyed && (await earlierAnswer<Generation>(deps, keyed));
    if (answer) return answer;
    throw problem;
  }
  const order = judgeOrder(deps, localOrigin(deps.config), generation);
  const price = await priceOrder(deps, caller.organization_id, order, signal);
  return once(deps, keyed, async (tx) => {
    await lockChain(tx, chain_id);
    const problem = chainProblem('generation', id, await readChain(tx, chain_id));
    if (problem) throw problem;
    const placement = { order, price, metadata, retry: { of: id, chain_id } };
    return { status: 201, body: await placeGeneration(deps, tx, caller, placement) };
  });
}

const readChain = (db: Pick<Tx, 'select'>, chain_id: string): Promise<Link[]> =>
  db
    .select({ id: generations.id, status: generations.status, retry_of: generations.retry_of })
    .from(generations)
    .where(eq(generations.chain_id, chain_id));

/** Retries of one chain come one after another: the second sees what the first made. */
async function lockChain(tx: Tx, chain_id: string): Promise<void> {
  await tx.select({ id: generations.id }).from(generations).where(eq(generations.id, chain_id)).for('no key update');
}
