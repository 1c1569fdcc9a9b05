import type { Deps } from '#server/platform/deps.ts';
import { eq } from 'drizzle-orm';
import type { JobData } from '#server/platform/jobs/jobs.ts';
import { generations } from '#server/platform/db/schema/schema.ts';
import { EngineError } from '#server/models/engine/engine.ts';
import type { UpstreamEngine, UpstreamHandle } from '#server/models/engine/upstream.ts';
import { followCanceledJob } from './follow-canceled-job.ts';
import { findUpstreamEngine } from './find-upstream-engine.ts';
import { readUpstreamJob, recordCompletion } from './upstream-job.ts';

const CANCEL_TIMEOUT_MS = 30_000;

/**
 * Cancels an upstream job and follows it to its end, because the cancel may come too late, or the provider may charge
 * for what was done until then. After a crash both are repeated, which has no effect on a job that has ended.
 * @throws if the upstream could not be reached, or the result not be stored: the queue retries with backoff
 */
export async function cancelUpstreamJob(
  deps: Deps,
  { generation_id, awaitsEnd = false }: JobData['upstream.cancel'],
  shutdown: AbortSignal,
): Promise<void> {
  const { db, log, offering } = deps;
  const job = await readUpstreamJob(db, generation_id);
  if (job?.state !== 'accepted') return;
  if (!job.handle) return endReceivedJob(deps, generation_id);
  const [row] = await db.select().from(generations).where(eq(generations.id, generation_id));
  const engine = await findUpstreamEngine(offering, job.engine);
  if (!row || !engine)
    return log.warn({ generation_id, engine: job.engine }, 'cannot cancel upstream job: its engine is not configured');
  if (!awaitsEnd) await sendCancel(engine, job.handle, shutdown);
  await followCanceledJob(deps, { row, job, handle: job.handle, engine, isFirstPoll: !awaitsEnd }, shutdown);
}

/** The provider had completed it; the process that has its result keeps that, or deletes it. */
const endReceivedJob = ({ db, clock }: Deps, generationId: string): Promise<void> =>
  db.transaction((tx) =>
    recordCompletion(tx, generationId, { cost_micro_usd: null, cost_basis: null, handle: undefined }, clock.now()),
  );

async function sendCancel({ adapter }: UpstreamEngine, handle: UpstreamHandle, shutdown: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([shutdown, AbortSignal.timeout(CANCEL_TIMEOUT_MS)]);
  await adapter.cancel(handle, signal).catch((error: unknown) => {
    if (!(error instanceof EngineError)) throw error;
  });
}
