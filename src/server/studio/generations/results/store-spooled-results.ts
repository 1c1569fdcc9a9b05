import type { Deps } from '#server/platform/deps.ts';
import { eq } from 'drizzle-orm';
import { generations } from '#server/platform/db/schema/schema.ts';
import { claimGeneration, isResumable } from '#server/studio/generations/generation-lease.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import { runClaimed } from '#server/studio/generations/run-generation.ts';
import { keepCanceledResult } from '#server/studio/generations/upstream/follow-canceled-job.ts';
import type { CompletedResult } from './completed-result.ts';
import { deleteSpooledResult, listSpooledResults, readSpooledResult } from './result-spool.ts';
import { OUTAGE_LIMIT_MS } from './storage-outage.ts';

const CONCURRENCY = 4;

interface StopSignals {
  shutdown: AbortSignal;
  giveUp: AbortSignal;
}

/**
 * Stores the results on this disk whose time has come, beside the lanes, and deletes those that nobody needs any more.
 * Results of processes that were killed are among them.
 */
export async function storeSpooledResults(deps: Deps, signals: StopSignals): Promise<void> {
  const ids = await listSpooledResults(deps.config.mediaDir);
  const storeNext = async (): Promise<void> => {
    for (let id = ids.shift(); id !== undefined && !signals.shutdown.aborted; id = ids.shift()) {
      const generationId = id;
      await storeSpooledResult(deps, generationId, signals).catch((error: unknown) =>
        deps.log.warn({ err: error, generation_id: generationId }, 'kept result could not be stored'),
      );
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, storeNext));
}

async function storeSpooledResult(deps: Deps, generation_id: string, signals: StopSignals): Promise<void> {
  const { mediaDir } = deps.config;
  const [row] = await deps.db.select().from(generations).where(eq(generations.id, generation_id));
  if (row?.status === 'queued' || row?.status === 'running') {
    if (!isResumable(row, deps.clock.now())) return;
    const lease = await claimGeneration(deps, generation_id);
    if (lease) await runClaimed(deps, lease, signals);
    return;
  }
  const result = row?.status === 'canceled' ? await readSpooledResult(mediaDir, generation_id) : null;
  if (row && result) await storeLateResult(deps, row, result, signals.shutdown);
  await deleteSpooledResult(mediaDir, generation_id);
}

/** @throws {StorageError} while storage is unavailable, until the outage has lasted too long */
async function storeLateResult(
  deps: Deps,
  row: GenerationRow,
  { upstream, ...result }: CompletedResult,
  shutdown: AbortSignal,
): Promise<void> {
  const { completed_at } = row;
  if (upstream === null || upstream.reviewReason !== null || completed_at === null) return;
  if (completed_at < upstream.received_at) return;
  try {
    await deps.storage.check();
    await keepCanceledResult(deps, row, result, upstream.completion, shutdown);
  } catch (error) {
    if (deps.clock.now().getTime() - completed_at.getTime() < OUTAGE_LIMIT_MS) throw error;
    deps.log.warn({ err: error, generation_id: row.id }, 'result of a canceled generation could not be stored');
  }
}
