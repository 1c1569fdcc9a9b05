import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { Deps } from '#server/platform/deps.ts';
import { derivativeJobs, mediaDerivatives } from '#server/platform/db/schema/derivative-schema.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import { StorageError } from '#server/platform/storage/storage.ts';
import { type DerivativeJob, findOriginalMedia, claimCondition } from './claim-derivative-job.ts';
import { type DerivativeFile, createDerivativeFiles } from './create-derivative-files.ts';

/** A file may be the reason why the process that works on it dies. */
const MAX_ATTEMPTS = 3;
const RETRY_DELAY_MS = 60_000;

/**
 * A failure does not stop the worker, and retries are bounded.
 * @returns whether to continue: false if the storage is unavailable or the signal aborts
 */
export async function processDerivativeJob(deps: Deps, claimed: DerivativeJob, signal: AbortSignal): Promise<boolean> {
  try {
    if (claimed.attempts > MAX_ATTEMPTS) await completeJob(deps, claimed, [], 'Three attempts were interrupted.');
    else await createDerivatives(deps, claimed, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return releaseClaim(deps, claimed, 0);
    if (error instanceof StorageError && error.code === 'unavailable')
      return releaseClaim(deps, claimed, RETRY_DELAY_MS);
    const { source_key, attempts } = claimed;
    deps.log.warn({ err: error, source_key, attempts }, 'derivatives not created');
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof StorageError || attempts >= MAX_ATTEMPTS) await completeJob(deps, claimed, [], message);
    else await scheduleRetry(deps, claimed, attempts * RETRY_DELAY_MS, message);
    return true;
  }
}

async function createDerivatives(deps: Deps, claimed: DerivativeJob, signal: AbortSignal): Promise<void> {
  const { source_key } = claimed;
  const facts = await findOriginalMedia(deps.db, source_key);
  if (!facts) return void (await deps.db.delete(derivativeJobs).where(claimCondition(claimed)));
  await withTempDir(deps.config.mediaDir, async (folder) => {
    const file = join(folder, 'original');
    await deps.storage.copyToFile(source_key, file, { signal });
    const { copies, problem } = await createDerivativeFiles({ tools: deps.media, folder, signal }, { file, ...facts });
    if (problem !== null) deps.log.info({ source_key, problem }, 'derivative missing');
    const stored = [];
    for (const copy of copies) stored.push(await storeDerivative(deps, source_key, copy, signal));
    await completeJob(deps, claimed, stored, problem);
  });
}

type NewDerivative = typeof mediaDerivatives.$inferInsert;

/** The key follows from the original's, so that creating it again overwrites it. */
async function storeDerivative(
  { storage, clock }: Deps,
  sourceKey: string,
  { variant, file, extension, ...facts }: DerivativeFile,
  signal: AbortSignal,
): Promise<NewDerivative> {
  const storageKey = `derivatives/${sourceKey.replace(/\.[^./]*$/, '')}/${variant}.${extension}`;
  const written = await storage.put(storageKey, { file }, { signal });
  return { source_key: sourceKey, variant, ...facts, storage_key: storageKey, ...written, created_at: clock.now() };
}

async function completeJob(
  deps: Deps,
  claimed: DerivativeJob,
  rows: readonly NewDerivative[],
  problem: string | null,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const state = rows.length > 0 ? 'made' : 'failed';
    const [claim] = await tx
      .update(derivativeJobs)
      .set({ state, problem, updated_at: deps.clock.now() })
      .where(claimCondition(claimed))
      .returning();
    if (!claim || rows.length === 0) return;
    await tx.delete(mediaDerivatives).where(eq(mediaDerivatives.source_key, claimed.source_key));
    await tx.insert(mediaDerivatives).values([...rows]);
  });
}

async function scheduleRetry(
  { db, clock }: Deps,
  claimed: DerivativeJob,
  waitMs: number,
  problem: string,
): Promise<void> {
  const dueAt = new Date(clock.now().getTime() + waitMs);
  await db.update(derivativeJobs).set({ due_at: dueAt, problem }).where(claimCondition(claimed));
}

/** Does not count the attempt, since the file did not cause its end. */
async function releaseClaim({ db, clock }: Deps, claimed: DerivativeJob, waitMs: number): Promise<false> {
  const dueAt = new Date(clock.now().getTime() + waitMs);
  await db
    .update(derivativeJobs)
    .set({ due_at: dueAt, attempts: claimed.attempts - 1 })
    .where(claimCondition(claimed));
  return false;
}
