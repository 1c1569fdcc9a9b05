import { eq } from 'drizzle-orm';
import type { Deps } from '#server/deps.ts';
import { assets, generations, reviews } from '#server/db/schema.ts';
import { enqueueDerivatives } from '#server/assets/derivatives/enqueue-derivatives.ts';
import { computeCharge } from '../compute-charge.ts';
import type { Lease } from '../generation-lease.ts';
import { transitionGeneration } from '../transition-generation.ts';
import type { GenerationResult } from '../settle-generation.ts';
import { type UpstreamCompletion, recordCompletion } from '../upstream/upstream-job.ts';

/**
 * Leaves a generation to a person: its funds stay reserved, and what there is of a result is held until it is decided.
 * Decision: Manual review
 * @param reason a sentence that says what is not known
 * @param upstream how its job ended; undefined where nobody knows whether it did
 * @returns false where another outcome won
 */
export async function openReview(
  deps: Pick<Deps, 'db' | 'clock' | 'prices' | 'queue' | 'transition_listeners'>,
  { row, owner }: Lease,
  reason: string,
  held: GenerationResult,
  upstream?: UpstreamCompletion,
): Promise<boolean> {
  const now = deps.clock.now();
  const charge = computeCharge(deps.prices, row, held);
  return deps.db.transaction(async (tx) => {
    const moved = await transitionGeneration(
      deps,
      tx,
      row.id,
      'manual_review',
      { error: { code: 'manual_review', message: reason, retryable: false }, progress: null, updated_at: now },
      eq(generations.lease_owner, owner),
    );
    if (upstream) await recordCompletion(tx, row.id, upstream, now);
    if (!moved) return false;
    await tx.insert(reviews).values({
      generation_id: row.id,
      reason,
      held_data: held.data,
      charge_micro_usd: charge.amount_micro_usd,
      charge_line_items: charge.line_items,
      opened_at: now,
    });
    const outputs = held.outputs.map((output) => ({ ...output, held: true }));
    if (outputs.length > 0) await tx.insert(assets).values(outputs);
    await enqueueDerivatives(deps, tx, outputs);
    return true;
  });
}
