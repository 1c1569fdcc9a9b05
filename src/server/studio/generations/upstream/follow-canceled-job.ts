import { and, eq } from 'drizzle-orm';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import type { Deps } from '#server/platform/deps.ts';
import { upstreamJobs } from '#server/platform/db/schema/schema.ts';
import type { UpstreamEngine, UpstreamHandle } from '#server/models/engine/upstream.ts';
import type { EngineResult } from '#server/models/engine/engine.ts';
import { MediaError } from '#server/platform/media/media-error.ts';
import { RunError } from '#server/studio/generations/failure.ts';
import type { GenerationRow } from '#server/studio/generations/read/generation-row.ts';
import { discardOutputs, storeOutputs, storeOutputsForReview } from '#server/studio/generations/store-outputs.ts';
import { type UpstreamResponse, callUpstream, isFailedCall } from './call-upstream.ts';
import { keepLateResult } from './late-result.ts';
import { backoffDelay, pollDelay } from './poll-delay.ts';
import { toCompletion } from './resolve-cost.ts';
import { type UpstreamCompletion, type UpstreamJobRow, recordCompletion, recordCost } from './upstream-job.ts';

export interface CanceledJob {
  row: GenerationRow;
  job: UpstreamJobRow;
  handle: UpstreamHandle;
  engine: UpstreamEngine;
  /** No poll has returned anything since the cancel. A job that has succeeded by then was complete before. */
  isFirstPoll: boolean;
}

/** Below the expiry of the queue's job. */
const POLL_TIMEOUT_MS = 8 * 60_000;
/** A provider that still says nothing after this many deadlines is not asked any more. */
const MAX_DEADLINES = 2;
const MIN_PROBLEMS = 5;

const NO_END_MESSAGE = 'The provider did not say how the job ended after it was canceled.';

/**
 * Polls a job after its cancel, again and again through the queue until it has ended, and records its cost. The result
 * of a job that was complete before its cancel is kept. Decision: Cancel
 * @throws if the result can't be stored now; the reason of `shutdown`
 */
export async function followCanceledJob(deps: Deps, canceled: CanceledJob, shutdown: AbortSignal): Promise<void> {
  const { row, job, handle, engine, isFirstPoll } = canceled;
  const { id: generation_id } = row;
  await withTempDir(deps.config.mediaDir, async (workDir) => {
    const signal = AbortSignal.any([shutdown, AbortSignal.timeout(POLL_TIMEOUT_MS)]);
    const { task, model, input } = row;
    const request = { generation_id, submit_key: generation_id, task, model, input, workDir, signal };
    const response = await callUpstream({ log: deps.log, engine, generation_id, operation: 'poll' }, shutdown, () =>
      engine.adapter.poll({ ...request, onProgress: () => undefined }, handle),
    );
    if (response.status === 'accepted' || isFailedCall(response)) return pollAgain(deps, canceled, response);
    const completion = toCompletion(engine, row, response, job.media_lengths);
    const isLate = isFirstPoll && row.status === 'canceled' && response.status === 'succeeded';
    if (isLate) await keepCanceledResult(deps, row, response.result, completion, signal);
    else await deps.db.transaction((tx) => recordCompletion(tx, generation_id, completion, deps.clock.now()));
  });
}

async function pollAgain(
  { db, clock, queue }: Deps,
  { row: { id: generation_id }, job, engine, isFirstPoll }: CanceledJob,
  response: Extract<UpstreamResponse, { status: 'accepted' | 'busy' | 'lost' }>,
): Promise<void> {
  const now = clock.now();
  const ageMs = now.getTime() - job.submitted_at.getTime();
  const isFailed = response.status !== 'accepted';
  const problemCount = isFailed ? job.problem_count + 1 : 0;
  const givesUp = ageMs > MAX_DEADLINES * engine.deadlineMs && (!isFailed || problemCount >= MIN_PROBLEMS);
  const waitMs = isFailed
    ? backoffDelay(problemCount, response.retry_after_ms)
    : pollDelay(ageMs, response.pollAfterMs);
  await db.transaction(async (tx) => {
    await tx
      .update(upstreamJobs)
      .set({
        ...(isFailed ? { last_problem: response.problem } : { handle: response.handle }),
        ...(givesUp ? { state: 'ended' as const, last_problem: NO_END_MESSAGE } : {}),
        problem_count: problemCount,
        updated_at: now,
      })
      .where(and(eq(upstreamJobs.generation_id, generation_id), eq(upstreamJobs.state, 'accepted')));
    if (givesUp) return;
    const awaitsEnd = !isFailed || !isFirstPoll;
    const startAfter = new Date(now.getTime() + waitMs);
    await queue.send(tx, 'upstream.cancel', { generation_id, awaitsEnd }, { key: generation_id, startAfter });
  });
}

/** Keeps a result that was complete before its generation was canceled. @throws if it can't be stored now */
export async function keepCanceledResult(
  deps: Deps,
  row: GenerationRow,
  result: EngineResult,
  completion: UpstreamCompletion,
  signal: AbortSignal,
): Promise<void> {
  // First, because storing may fail until the provider has deleted the result.
  await recordCost(deps, row.id, completion);
  const stored = await storeOutputs(deps, row, result, signal).then(
    (outputs) => ({ outputs, received: [] }),
    (error: unknown) => {
      const isUnusable = error instanceof RunError || (error instanceof MediaError && error.code === 'invalid_media');
      if (!isUnusable) throw error;
      deps.log.warn({ err: error, generation_id: row.id }, 'upstream result of a canceled job is kept as it is');
      return storeOutputsForReview(deps, row, result, signal);
    },
  );
  // If this throws, the response to the commit may be lost and a row reference the files: only the sweeper deletes them.
  const isKept = await deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    await recordCompletion(tx, row.id, completion, now);
    return keepLateResult(deps, tx, row.id, { ...stored, data: result.data }, () => true, now);
  });
  if (!isKept) await discardOutputs(deps, [...stored.outputs, ...stored.received]);
}
