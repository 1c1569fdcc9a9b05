import { and, eq, inArray } from 'drizzle-orm';
import { formatUsd } from '#contract/money/money.ts';
import type { Review, ReviewDecisionRequest } from '#contract/resources/review.ts';
import { type AuditActor, actingKey, recordAuditEvent } from '#server/accounts/audit/record-audit-event.ts';
import { releaseFunds, settleFunds } from '#server/accounts/billing/fund-transfers.ts';
import type { Deps } from '#server/platform/deps.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { reviews } from '#server/platform/db/schema/review-schema.ts';
import { assetSearchTexts } from '#server/platform/db/schema/library-schema.ts';
import { assets, generations } from '#server/platform/db/schema/schema.ts';
import { enqueueDerivatives } from '#server/studio/assets/derivatives/enqueue-derivatives.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import type { GenerationFailure } from '#server/studio/generations/failure.ts';
import { findGeneration } from '#server/studio/generations/read/find-generation.ts';
import { transitionGeneration } from '#server/studio/generations/transition-generation.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import { deleteReceivedFiles, keepReceivedFiles } from '#server/studio/assets/received-files.ts';
import { insertOutputs, type AssetDraft, discardOutputs } from '#server/studio/generations/store-outputs.ts';
import { enqueueUpstreamCancel } from '#server/studio/generations/upstream/enqueue-upstream-cancel.ts';
import { type ApprovedOutputs, resolveApprovedOutputs } from './approved-outputs.ts';
import { type ReviewRow, findReview, readReview } from './read-review.ts';

const REJECTED_FAILURE: GenerationFailure = {
  code: 'rejected',
  message: 'The result was rejected in review.',
  retryable: true,
};

/**
 * Applies a review decision: approved, the generation succeeds and is charged; rejected, it fails and its reservation is
 * released. Repeating the same decision changes nothing. Decision: Manual review
 * @throws {ApiError} 404; 409 `not_in_review` after another decision; 422 if no result fits
 */
export async function decideReview(
  deps: Deps,
  actor: AuditActor,
  id: string,
  request: ReviewDecisionRequest,
): Promise<Review> {
  const { organization_id } = actor;
  const { generation, key_name } = await findGeneration(deps, organization_id, id);
  const { review } = await findReview(deps.db, id);
  if (review.decision === null) {
    const approved =
      request.decision === 'approve'
        ? await resolveApprovedOutputs(deps, generation, review, request.upload_ids)
        : null;
    // If the commit's response is lost, a row may reference the added files, so only the sweeper may delete them.
    const discarded = await deps.db.transaction((tx) =>
      applyDecision(deps, tx, { generation, created_by: key_name, review, request, approved, actor }),
    );
    await discardOutputs(deps, discarded);
  }
  const current = await readReview(deps, organization_id, id);
  if (current.decision?.decision === request.decision) return current;
  throw new ApiError('not_in_review', 'Already decided by someone else. Reload the review to see the decision.');
}

type StoredFile = Pick<AssetDraft, 'storage_key'>;

interface DecisionContext {
  generation: GenerationRow;
  /** Name of who created it. */
  created_by: string;
  review: ReviewRow;
  request: ReviewDecisionRequest;
  approved: ApprovedOutputs | null;
  actor: AuditActor;
}

/** @returns stored files to delete: the replaced ones, or the added ones if another decision won */
async function applyDecision(
  deps: Deps,
  tx: Tx,
  { generation, created_by, review, request, approved, actor }: DecisionContext,
): Promise<StoredFile[]> {
  const now = deps.clock.now();
  const { id } = generation;
  const completed = { completed_at: now, updated_at: now };
  const updated = approved
    ? await transitionGeneration(
        deps,
        tx,
        id,
        'succeeded',
        {
          ...completed,
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
        { ...completed, error: REJECTED_FAILURE, billing_status: 'released' },
        eq(generations.status, 'manual_review'),
      );
  if (!updated) return [...(approved?.added ?? [])];
  const { decision, note } = request;
  const decidedBy = actingKey(actor)?.id ?? null;
  await tx
    .update(reviews)
    .set({ decision, note, decided_by: decidedBy, decided_at: now })
    .where(eq(reviews.generation_id, id));
  const discarded = approved ? approved.replaced : await readHeldAssets(tx, id);
  if (discarded.length > 0) {
    const ids = discarded.map((asset) => asset.id);
    await tx.delete(assetSearchTexts).where(inArray(assetSearchTexts.asset_id, ids));
    await tx.delete(assets).where(and(eq(assets.generation_id, id), inArray(assets.id, ids)));
  }
  if (approved) await insertOutputs(deps, tx, approved.added);
  await enqueueDerivatives(deps, tx, approved?.added ?? []);
  const deletedFiles = approved ? [] : await deleteReceivedFiles(tx, id);
  if (approved) await keepReceivedFiles(tx, id, now);
  // Approved outputs enter the library now, so their retention period starts now.
  if (approved) await tx.update(assets).set({ held: false, created_at: now }).where(eq(assets.generation_id, id));
  await enqueueUpstreamCancel(deps, tx, id);
  const reservedMicroUsd = generation.amount_micro_usd;
  if (approved)
    await settleFunds(
      tx,
      updated,
      { reserved_micro_usd: reservedMicroUsd, charge_micro_usd: review.charge_micro_usd },
      now,
    );
  else await releaseFunds(tx, updated, reservedMicroUsd, now);
  const after = { decision, note, amount_usd: formatUsd(approved ? review.charge_micro_usd : 0n), created_by };
  await recordAuditEvent(tx, actor, { action: 'review.decided', target: { type: 'generation', id }, after }, now);
  return [...discarded, ...deletedFiles];
}

const readHeldAssets = (tx: Tx, generationId: string) =>
  tx.select().from(assets).where(eq(assets.generation_id, generationId));
