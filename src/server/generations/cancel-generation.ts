import { eq } from 'drizzle-orm';
import type { Generation } from '#contract/resources/generation.ts';
import { releaseFunds } from '#server/billing/fund-transfers.ts';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/db/db.ts';
import { generations } from '#server/db/schema.ts';
import { withIdempotency } from '#server/idempotency/with-idempotency.ts';
import type { GenerationFailure } from './failure.ts';
import { readGeneration } from './find-generation.ts';
import { transitionGeneration } from './transition-generation.ts';
import type { GenerationRow, PresentDeps } from './present-generation.ts';
import { enqueueUpstreamCancel } from './upstream/enqueue-upstream-cancel.ts';

/**
 * Cancels a queued or running generation, releases its reservation and stops its work here and upstream. A completed
 * generation does not change. Decision: Cancel
 * @throws {ApiError} 404 `generation_not_found`, 503
 */
export async function cancelGeneration(
  deps: PresentDeps & Pick<Deps, 'db' | 'queue' | 'transition_listeners'>,
  organization_id: string,
  id: string,
): Promise<Generation> {
  const now = deps.clock.now();
  const { body } = await withIdempotency(deps, undefined, async (tx) => {
    const row = await markCanceled(deps, tx, organization_id, id, now);
    const generation = await readGeneration({ ...deps, db: tx }, organization_id, id);
    // Last, because other requests wait for the account.
    if (row) await releaseFunds(tx, row, row.amount_micro_usd, now);
    return { status: 200, body: generation };
  });
  return body;
}

/**
 * Cancels a queued or running generation and its upstream job. The caller releases the reservation in the same
 * transaction.
 * @param error the reason, if the service and not the caller cancels it
 * @returns null if the generation is completed or in review
 */
export async function markCanceled(
  deps: Pick<Deps, 'queue' | 'transition_listeners'>,
  tx: Tx,
  organization_id: string,
  id: string,
  now: Date,
  error: GenerationFailure | null = null,
): Promise<GenerationRow | null> {
  const row = await transitionGeneration(
    deps,
    tx,
    id,
    'canceled',
    { error, progress: null, billing_status: 'released', completed_at: now, updated_at: now },
    eq(generations.organization_id, organization_id),
  );
  if (row) await enqueueUpstreamCancel(deps, tx, id);
  return row;
}
