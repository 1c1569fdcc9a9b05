import { eq } from 'drizzle-orm';
import type { Deps } from '#server/platform/deps.ts';
import { reviews } from '#server/platform/db/schema/review-schema.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { enqueueDerivatives } from '#server/studio/assets/derivatives/enqueue-derivatives.ts';
import { computeCharge } from '#server/studio/generations/compute-charge.ts';
import type { Lease } from '#server/studio/generations/generation-lease.ts';
import { insertReceivedFiles } from '#server/studio/assets/received-files.ts';
import { insertOutputs } from '#server/studio/generations/store-outputs.ts';
import { toMeasuredFile } from '#server/studio/generations/create/validate-media.ts';
import { transitionGeneration } from '#server/studio/generations/transition-generation.ts';
import type { GenerationResult } from '#server/studio/generations/settle-generation.ts';
import { type UpstreamCompletion, recordCompletion } from '#server/studio/generations/upstream/upstream-job.ts';

/**
 * Sends a generation to manual review: its funds stay reserved and its outputs are held until the decision.
 * Decision: Manual review
 * @param reason shown to the reviewer
 * @param upstream how the upstream job completed; undefined if that is unknown
 * @returns false if another transition won
 */
export async function openReview(
  deps: Deps,
  { row, owner }: Lease,
  reason: string,
  result: GenerationResult,
  upstream?: UpstreamCompletion,
): Promise<boolean> {
  const now = deps.clock.now();
  const charge = computeCharge(deps.offering.current(), row, result, result.outputs.map(toMeasuredFile));
  return deps.db.transaction(async (tx) => {
    const updated = await transitionGeneration(
      deps,
      tx,
      row.id,
      'manual_review',
      { error: { code: 'manual_review', message: reason, retryable: false }, progress: null, updated_at: now },
      eq(generations.lease_owner, owner),
    );
    if (upstream) await recordCompletion(tx, row.id, upstream, now);
    if (!updated) return false;
    await tx.insert(reviews).values({
      generation_id: row.id,
      reason,
      held_data: result.data,
      charge_micro_usd: charge.amount_micro_usd,
      charge_line_items: charge.line_items,
      opened_at: now,
    });
    const outputs = result.outputs.map((output) => ({ ...output, held: true }));
    await insertOutputs(deps, tx, outputs);
    await insertReceivedFiles(tx, result.received ?? []);
    await enqueueDerivatives(deps, tx, outputs);
    return true;
  });
}
