import { eq } from 'drizzle-orm';
import type { Tx } from '#server/platform/db/db.ts';
import { workflowRuns } from '#server/platform/db/schema/workflow-schema.ts';
import { validateRetry } from '#server/studio/generations/retry/validate-retry.ts';

/** @throws {ApiError} 409 by the rules of the chain. Decision: Workflow retry */
export async function assertRunRetryable(
  db: Pick<Tx, 'select'>,
  { id, chain_id }: { id: string; chain_id: string },
): Promise<void> {
  const chain = await db
    .select({ id: workflowRuns.id, status: workflowRuns.status, retry_of: workflowRuns.retry_of })
    .from(workflowRuns)
    .where(eq(workflowRuns.chain_id, chain_id));
  const problem = validateRetry('run', id, chain);
  if (problem) throw problem;
}

/** Serializes the retries of a chain, so that the second sees the run of the first. */
export async function lockRunChain(tx: Tx, chainId: string): Promise<void> {
  await tx.select({ id: workflowRuns.id }).from(workflowRuns).where(eq(workflowRuns.id, chainId)).for('no key update');
}
