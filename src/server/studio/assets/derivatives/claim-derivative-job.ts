import { and, desc, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { Deps } from '#server/platform/deps.ts';
import { derivativeJobs } from '#server/platform/db/schema/derivative-schema.ts';
import { assets, uploads } from '#server/platform/db/schema/schema.ts';
import type { OriginalMedia } from './create-derivative-files.ts';

/** Longer than any derivative takes: a worker that still holds its claim then has died. */
const CLAIM_MS = 20 * 60_000;

export type DerivativeJob = typeof derivativeJobs.$inferSelect;

export async function claimDerivativeJob({ db, clock }: Deps): Promise<DerivativeJob | null> {
  const now = clock.now();
  const next = db
    .select({ source_key: derivativeJobs.source_key })
    .from(derivativeJobs)
    .where(and(eq(derivativeJobs.state, 'waiting'), lte(derivativeJobs.due_at, now)))
    .orderBy(desc(derivativeJobs.created_at))
    .limit(1)
    .for('update', { skipLocked: true });
  const [claimed] = await db
    .update(derivativeJobs)
    .set({
      attempts: sql`${derivativeJobs.attempts} + 1`,
      due_at: new Date(now.getTime() + CLAIM_MS),
      updated_at: now,
    })
    .where(eq(derivativeJobs.source_key, next))
    .returning();
  return claimed ?? null;
}

export const claimCondition = ({ source_key, attempts, due_at }: DerivativeJob) =>
  and(
    eq(derivativeJobs.source_key, source_key),
    eq(derivativeJobs.state, 'waiting'),
    eq(derivativeJobs.attempts, attempts),
    eq(derivativeJobs.due_at, due_at),
  );

/** Makes every claimed job due again. Call it only if no other process runs. */
export async function reclaimDerivativeJobs({ db, clock }: Deps): Promise<void> {
  const now = clock.now();
  await db
    .update(derivativeJobs)
    .set({ due_at: now })
    .where(and(eq(derivativeJobs.state, 'waiting'), gt(derivativeJobs.due_at, now)));
}

/** The facts of a stored file; null if no asset or upload references it any more. */
export async function findOriginalMedia(
  db: Deps['db'],
  sourceKey: string,
): Promise<Omit<OriginalMedia, 'file'> | null> {
  for (const media of [assets, uploads]) {
    const { type, width, height, duration_seconds } = media;
    const [row] = await db
      .select({ type, width, height, duration_seconds })
      .from(media)
      .where(and(eq(media.storage_key, sourceKey), isNull(media.removed_at)))
      .limit(1);
    if (row) return row;
  }
  return null;
}
