import { withTempDir } from '#server/assets/temp-dir.ts';
import { callUpstream, isFailedCall } from './call-upstream.ts';
import { finalizeGeneration, failExpired, requestManualReview } from './finalize-generation.ts';
import type { AcceptedJob } from './submit-upstream.ts';
import { type UpstreamJobRow, recordAccepted, recordProblem } from './upstream-job.ts';
import { MAX_ADAPTER_FAULTS, type UpstreamRun, waitOrSuspend, buildJobRequest, remainingMs } from './upstream-run.ts';
import { backoffDelay, pollDelay } from './poll-delay.ts';

/** A longer wait is left to the queue, so that waiting takes no slot and no lease. */
const SUSPEND_THRESHOLD_MS = 5_000;
/** For the last answer of all, its outputs included. */
const FINAL_RESPONSE_TIMEOUT_MS = 10 * 60_000;

const UNEXPECTED_RESPONSE_MESSAGE =
  'The upstream service has this, but its answers are not understood. Look there what became of it, then decide.';

/**
 * Asks about an accepted job until it has ended, is let go for a while, or its time is over.
 * @throws the shutdown's reason
 */
export async function pollUpstream(run: UpstreamRun, accepted: AcceptedJob): Promise<null> {
  let { job, wait_ms } = accepted;
  for (;;) {
    if (!(await waitOrSuspend(run, Math.min(wait_ms, Math.max(remainingMs(run, job), 0)), SUSPEND_THRESHOLD_MS)))
      return null;
    const asked = await pollOnce(run, job);
    if (!asked) return null;
    // What has ended in time may have been asked about too late: the last answer counts.
    if (remainingMs(run, asked.job) <= 0) return failExpired(run);
    ({ job, wait_ms } = asked);
  }
}

/** @returns null where it is over */
async function pollOnce(run: UpstreamRun, job: UpstreamJobRow): Promise<AcceptedJob | null> {
  const { deps, lease, active_lease, engine, shutdown } = run;
  const { handle } = job;
  if (!handle) throw new Error('An accepted job has no handle.');
  const stop = AbortSignal.any([active_lease.lost, shutdown]);
  return withTempDir(deps.config.media_dir, async (work_dir) => {
    const limit_ms = Math.max(remainingMs(run, job), 0) + FINAL_RESPONSE_TIMEOUT_MS;
    const signal = AbortSignal.any([stop, AbortSignal.timeout(limit_ms)]);
    const answer = await callUpstream(run, stop, () =>
      engine.adapter.poll(buildJobRequest(run, work_dir, signal), handle),
    );
    if (answer.status === 'accepted') {
      if (answer.progress !== null) active_lease.setProgress(answer.progress);
      const is_news = job.problem_count > 0 || JSON.stringify(answer.handle) !== JSON.stringify(handle);
      const kept = is_news ? await recordAccepted(deps, lease, answer.handle) : job;
      const age_ms = engine.deadline_ms - remainingMs(run, job);
      return kept && { job: kept, wait_ms: pollDelay(age_ms, answer.poll_after_ms) };
    }
    if (!isFailedCall(answer)) return finalizeGeneration(run, job.media_lengths, answer, stop);
    const kept = await recordProblem(deps, job, answer.problem, 'accepted');
    if (answer.is_fault && kept.problem_count >= MAX_ADAPTER_FAULTS) {
      return requestManualReview(run, UNEXPECTED_RESPONSE_MESSAGE, kept.media_lengths);
    }
    return { job: kept, wait_ms: backoffDelay(kept.problem_count, answer.retry_after_ms) };
  });
}
