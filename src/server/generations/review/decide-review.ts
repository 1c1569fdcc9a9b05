import { and, eq, inArray } from 'drizzle-orm';
import type { Review, ReviewDecisionRequest } from '#contract/resources/review.ts';
import { releaseFunds, settleFunds } from '#server/billing/fund-transfers.ts';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/db/db.ts';
import { assets, generations, reviews } from '#server/db/schema.ts';
import { enqueueDerivatives } from '#server/assets/derivatives/enqueue-derivatives.ts';
import { ApiError } from '#server/core/api-error.ts';
import type { GenerationFailure } from '../failure.ts';
import { findGeneration } from '../find-generation.ts';
import { transitionGeneration } from '../transition-generation.ts';
import type { GenerationRow } from '../present-generation.ts';
import { type AssetDraft, discardOutputs } from '../store-outputs.ts';
import { enqueueUpstreamCancel } from '../upstream/cancel-upstream.ts';
import { type ApprovedOutputs, type ApprovalDeps, resolveApprovedOutputs } from './approved-outputs.ts';
import { type ReadReviewDeps, type ReviewRow, findReview, readReview } from './read-review.ts';

export type DecideReviewDeps = ApprovalDeps & ReadReviewDeps & Pick<Deps, 'db' | 'queue' | 'transition_listeners'>;

const REJECTED_FAILURE: GenerationFailure = {
  code: 'rejected',
  message: 'A person looked at the result and did not accept it. Nothing was charged.',
  retryable: true,
};

/**
 * Ends a generation as a person decides: approved, it succeeds and is charged; rejected, it fails and its reservation
 * comes back. The same decision again changes nothing. Decision: Manual review
 * @param decided_by id of the key; null: from the shell
 * @throws {ApiError} 404; 409 `not_in_review` where it was decided otherwise; 422 where there is no result that fits
 */
export async function decideReview(
  deps: DecideReviewDeps,
  organization_id: string,
  id: string,
  asked: ReviewDecisionRequest,
  decided_by: string | null,
): Promise<Review> {
  const { generation } = await findGeneration(deps, organization_id, id);
  const { review } = await findReview(deps, id);
  if (review.decision === null) {
    const approved =
      asked.decision === 'approve' ? await resolveApprovedOutputs(deps, generation, review, asked.upload_ids) : null;
    // Where this throws, files that were added may be named by a row all the same: the sweeper judges.
    const unwanted = await deps.db.transaction((tx) =>
      applyDecision(deps, tx, { generation, review, asked, approved, decided_by }),
    );
    await discardOutputs(deps, unwanted);
  }
  const now = await readReview(deps, organization_id, id);
  if (now.decision?.decision === asked.decision) return now;
  throw new ApiError('not_in_review', 'This was decided otherwise meanwhile. Look at it again.');
}

type StoredFile = Pick<AssetDraft, 'storage_key'>;

interface DecisionContext {
  generation: GenerationRow;
  review: ReviewRow;
  asked: ReviewDecisionRequest;
  /** null: rejected. */
  approved: ApprovedOutputs | null;
  decided_by: string | null;
}

/** @returns stored files that no row names any more; those added, where another decision won */
async function applyDecision(
  deps: DecideReviewDeps,
  tx: Tx,
  { generation, review, asked, approved, decided_by }: DecisionContext,
): Promise<StoredFile[]> {
  const now = deps.clock.now();
  const { id } = generation;
  const ended = { completed_at: now, updated_at: now };
  const moved = approved
    ? await transitionGeneration(
        deps,
        tx,
        id,
        'succeeded',
        {
          ...ended,
          error: null,
          progress: 1,
          output_data: review.held_data,
          amount_micro_usd: review.charge_micro_usd,
          line_items: review.charge_line_items,
          billing_status: 'settled',
        },
        eq(generations.status, 'manual_review'),
      )
    : await transitionGeneration(
        deps,
        tx,
        id,
        'failed',
        { ...ended, error: REJECTED_FAILURE, billing_status: 'released' },
        eq(generations.status, 'manual_review'),
      );
  if (!moved) return [...(approved?.added ?? [])];
  const { decision, note } = asked;
  await tx.update(reviews).set({ decision, note, decided_by, decided_at: now }).where(eq(reviews.generation_id, id));
  const unwanted = approved ? approved.replaced : await readHeldAssets(tx, id);
  if (unwanted.length > 0) {
    const ids = unwanted.map((asset) => asset.id);
    await tx.delete(assets).where(and(eq(assets.generation_id, id), inArray(assets.id, ids)));
  }
  if (approved && approved.added.length > 0) await tx.insert(assets).values([...approved.added]);
  await enqueueDerivatives(deps, tx, approved?.added ?? []);
  // They are outputs from now on, and how long they are kept counts from now.
  if (approved) await tx.update(assets).set({ held: false, created_at: now }).where(eq(assets.generation_id, id));
  await enqueueUpstreamCancel(deps, tx, id);
  const reserved_micro_usd = generation.amount_micro_usd;
  if (approved) await settleFunds(tx, moved, { reserved_micro_usd, charge_micro_usd: review.charge_micro_usd }, now);
  else await releaseFunds(tx, moved, reserved_micro_usd, now);
  return [...unwanted];
}

const readHeldAssets = (tx: Tx, generation_id: string) =>
  tx.select().from(assets).where(eq(assets.generation_id, generation_id));
