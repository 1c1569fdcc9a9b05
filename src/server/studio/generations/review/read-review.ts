import type { Db } from '#server/platform/db/db.ts';
import { asc, eq } from 'drizzle-orm';
import { formatUsd } from '#contract/money/money.ts';
import type { Review } from '#contract/resources/review.ts';
import type { Deps } from '#server/platform/deps.ts';
import { reviews } from '#server/platform/db/schema/review-schema.ts';
import { apiKeys } from '#server/platform/db/schema/organization-schema.ts';
import { assets } from '#server/platform/db/schema/schema.ts';
import { ApiError } from '#server/platform/core/api-error.ts';
import { findGeneration } from '#server/studio/generations/read/find-generation.ts';
import { filesOf, readReceivedFiles } from '#server/studio/assets/received-files.ts';
import { presentAssets } from '#server/studio/generations/read/present-generation.ts';
import { presentUpstreamJob } from '#server/studio/generations/upstream/present-upstream-job.ts';
import { readUpstreamJob } from '#server/studio/generations/upstream/upstream-job.ts';

/**
 * Everything a reviewer needs to decide, or the decision.
 * @throws {ApiError} 404 `generation_not_found`; `not_found` if the generation was never in review
 */
export async function readReview(deps: Deps, organizationId: string, id: string): Promise<Review> {
  const { generation } = await findGeneration(deps, organizationId, id);
  const { review, key_name } = await findReview(deps.db, id);
  const job = await readUpstreamJob(deps.db, id);
  const held = await deps.db.select().from(assets).where(eq(assets.generation_id, id)).orderBy(asc(assets.position));
  const files = await readReceivedFiles(deps, [id]);
  return {
    object: 'review',
    generation_id: id,
    status: generation.status,
    reason: review.reason,
    opened_at: review.opened_at.toISOString(),
    amount_usd: formatUsd(generation.amount_micro_usd),
    charge_usd: formatUsd(review.charge_micro_usd),
    billing_status: generation.billing_status,
    output: { assets: await presentAssets(deps, held), data: review.held_data, ...filesOf(files, id) },
    upstream: job && (await presentUpstreamJob(deps.db, job, generation)),
    decision: presentDecision(review, key_name),
  };
}

export type ReviewRow = typeof reviews.$inferSelect;

/** @throws {ApiError} 404 `not_found` */
export async function findReview(
  db: Db,
  generationId: string,
): Promise<{ review: ReviewRow; key_name: string | null }> {
  const [row] = await db
    .select({ review: reviews, key_name: apiKeys.name })
    .from(reviews)
    .leftJoin(apiKeys, eq(apiKeys.id, reviews.decided_by))
    .where(eq(reviews.generation_id, generationId));
  if (row) return row;
  throw new ApiError('not_found', 'This generation was never in review.');
}

function presentDecision(
  { decision, note, decided_by, decided_at }: ReviewRow,
  keyName: string | null,
): Review['decision'] {
  if (decision === null || note === null || decided_at === null) return null;
  const by = decided_by === null || keyName === null ? null : { id: decided_by, name: keyName };
  return { decision, note, decided_by: by, decided_at: decided_at.toISOString() };
}
