import { eq } from 'drizzle-orm';
import type { Tx } from '#server/platform/db/db.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { validateRetry } from './validate-retry.ts';

/** @throws {ApiError} 409 by the rules of the chain. Decision: Retry */
export async function assertRetryable(
  db: Pick<Tx, 'select'>,
  { id, chain_id }: { id: string; chain_id: string },
): Promise<void> {
  const chain = await db
    .select({ id: generations.id, status: generations.status, retry_of: generations.retry_of })
    .from(generations)
    .where(eq(generations.chain_id, chain_id));
  const problem = validateRetry('generation', id, chain);
  if (problem) throw problem;
}

/** Serializes the retries of a chain, so that the second sees the generation of the first. */
export async function lockRetryChain(tx: Tx, chainId: string): Promise<void> {
  await tx.select({ id: generations.id }).from(generations).where(eq(generations.id, chainId)).for('no key update');
}
