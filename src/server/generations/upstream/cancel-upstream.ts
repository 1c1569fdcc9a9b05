import { and, eq } from 'drizzle-orm';
import type { Deps } from '#server/deps.ts';
import type { Tx } from '#server/db/db.ts';
import { upstreamJobs } from '#server/db/schema.ts';
import { EngineError } from '#server/engines/engine.ts';
import { findUpstreamEngine } from './find-upstream-engine.ts';

const CANCEL_TIMEOUT_MS = 30_000;

/**
 * Enqueues the cancellation of a generation's upstream job. Does nothing if there is no accepted job; if its handle is
 * not known yet, `recordAccepted` cancels it later.
 */
export async function enqueueUpstreamCancel(
  { queue }: Pick<Deps, 'queue'>,
  tx: Tx,
  generation_id: string,
): Promise<void> {
  const [job] = await tx
    .select({ generation_id: upstreamJobs.generation_id })
    .from(upstreamJobs)
    .where(and(eq(upstreamJobs.generation_id, generation_id), eq(upstreamJobs.state, 'accepted')))
    .for('update');
  if (job) await queue.send(tx, 'upstream.cancel', job, { key: generation_id });
}

/**
 * Cancels an upstream job. One that was complete has been charged for, so its cost is recorded.
 * @throws if the upstream could not be reached: the queue retries with backoff
 */
export async function cancelUpstreamJob(
  { db, clock, log, offering }: Pick<Deps, 'db' | 'clock' | 'log' | 'offering'>,
  generation_id: string,
  shutdown: AbortSignal,
): Promise<void> {
  const [job] = await db.select().from(upstreamJobs).where(eq(upstreamJobs.generation_id, generation_id));
  if (job?.state !== 'accepted' || !job.handle) return;
  const engine = await findUpstreamEngine(offering, job.engine);
  if (!engine)
    return log.warn({ generation_id, engine: job.engine }, 'cannot cancel upstream job: its engine is not configured');
  const signal = AbortSignal.any([shutdown, AbortSignal.timeout(CANCEL_TIMEOUT_MS)]);
  const cost = await engine.adapter.cancel(job.handle, signal).catch((error: unknown) => {
    if (!(error instanceof EngineError)) throw error;
  });
  if (cost) log.info({ generation_id, engine: job.engine }, 'upstream job was complete before it was canceled');
  await db
    .update(upstreamJobs)
    .set({ ...cost, state: 'ended', updated_at: clock.now() })
    .where(and(eq(upstreamJobs.generation_id, generation_id), eq(upstreamJobs.state, 'accepted')));
}
