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
import { enqueueUpstreamCancel } from './upstream/cancel-upstream.ts';

/**
 * Ends a queued or running generation and gives its reservation back; the worker sees it and stops, and what another
 * service has of it is stopped there. One that has ended stays as it is. Decision: Cancel
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
    if (row) await releaseFunds(tx, row, row.amount_micro_usd, now);
    return { status: 200, body: await readGeneration({ ...deps, db: tx }, organization_id, id) };
  });
  return body;
}

/**
 * Ends a generation that is queued or running and has its work stopped. Its reservation is to be released in the same
 * transaction.
 * @param error the reason, where it is not the caller who cancels it
 * @returns null where it has ended, or waits for a person
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
