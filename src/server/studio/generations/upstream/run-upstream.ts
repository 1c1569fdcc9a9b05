import { RunError } from '#server/studio/generations/failure.ts';
import { submitUpstream, type AcceptedJob } from './submit-upstream.ts';
import { type UpstreamJobRow, recordAccepted, recordProblem, recordProviderStatus } from './upstream-job.ts';
import {
  type UpstreamRun,
  MAX_ADAPTER_FAULTS,
  waitOrSuspend,
  buildJobRequest,
  describeCall,
  remainingMs,
} from './upstream-run.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import { callUpstream, isFailedCall } from './call-upstream.ts';
import { finalizeGeneration, failExpired, requestManualReview } from './finalize-generation.ts';
import { recordProviderHealth } from './provider-health.ts';
import { backoffDelay, pollDelay } from './poll-delay.ts';

/**
 * Runs a generation upstream from its current state until it completes, is suspended for a long wait, or this process
 * shuts down. Nothing is submitted twice blindly. Design: The life of a generation
 * @param job the state of earlier submits; null if there were none
 * @throws what `resolveReferences` throws; the shutdown's reason
 */
export async function runUpstream(run: UpstreamRun, job: UpstreamJobRow | null): Promise<void> {
  if (job?.state === 'ended')
    throw new RunError('interrupted', 'The generation was interrupted after the provider had completed it. Try again.');
  const accepted = job?.state === 'accepted' ? { run, job, waitMs: 0 } : await submitUpstream(run, job);
  if (accepted) await pollUpstream(accepted);
}

/** Longer waits go through the queue, so that they occupy neither a slot nor a lease. */
const SUSPEND_THRESHOLD_MS = 5_000;
/** For the last poll, including the download of outputs. */
const FINAL_RESPONSE_TIMEOUT_MS = 10 * 60_000;

/** A job that is polled was accepted before any cancel. */
const BEFORE_ANY_CANCEL = { received_at: new Date(0), hasHandle: true };

const UNEXPECTED_RESPONSE_MESSAGE =
  'The provider accepted the request, but its responses are invalid. Check the result there, then decide.';

/**
 * Polls an accepted job until it completes, is suspended or exceeds its deadline.
 * @throws the shutdown's reason
 */
async function pollUpstream(accepted: AcceptedJob): Promise<void> {
  const { run } = accepted;
  let { job, waitMs } = accepted;
  for (;;) {
    if (!(await waitOrSuspend(run, Math.min(waitMs, Math.max(remainingMs(run, job), 0)), SUSPEND_THRESHOLD_MS))) return;
    const polled = await pollOnce(run, job);
    if (!polled) return;
    // The job may have completed in time but be polled late, so the deadline is checked after the poll.
    if (remainingMs(run, polled.job) <= 0) return failExpired(run);
    ({ job, waitMs } = polled);
  }
}

/** @returns null once the generation has an outcome */
async function pollOnce(run: UpstreamRun, job: UpstreamJobRow): Promise<Pick<AcceptedJob, 'job' | 'waitMs'> | null> {
  const { deps, lease, activeLease, engine, shutdown } = run;
  const { handle } = job;
  if (!handle) throw new Error('An accepted job has no handle.');
  const stop = AbortSignal.any([activeLease.lost, shutdown]);
  return withTempDir(deps.config.mediaDir, async (workDir) => {
    const limitMs = Math.max(remainingMs(run, job), 0) + FINAL_RESPONSE_TIMEOUT_MS;
    const signal = AbortSignal.any([stop, AbortSignal.timeout(limitMs)]);
    const response = await callUpstream(describeCall(run, 'poll'), stop, () =>
      engine.adapter.poll(buildJobRequest(run, workDir, signal), handle),
    );
    if (response.status !== 'accepted') await recordProviderHealth(run, response);
    if (response.status === 'accepted') {
      if (response.progress !== null) activeLease.setProgress(response.progress);
      await recordProviderStatus(deps, lease, response.provider_status ?? null);
      const hasChanged = job.problem_count > 0 || JSON.stringify(response.handle) !== JSON.stringify(handle);
      const updated = hasChanged ? await recordAccepted(deps, lease, response.handle) : job;
      const ageMs = engine.deadlineMs - remainingMs(run, job);
      return updated && { job: updated, waitMs: pollDelay(ageMs, response.pollAfterMs) };
    }
    if (!isFailedCall(response)) {
      await finalizeGeneration(run, job.media_lengths, response, shutdown, BEFORE_ANY_CANCEL);
      return null;
    }
    if (response.status === 'lost' && response.unfetched && remainingMs(run, job) <= 0) {
      await finalizeGeneration(run, job.media_lengths, response.unfetched, shutdown, BEFORE_ANY_CANCEL);
      return null;
    }
    const updated = await recordProblem(deps, job, response.problem, 'accepted');
    if (response.isFault && updated.problem_count >= MAX_ADAPTER_FAULTS) {
      await requestManualReview(run, UNEXPECTED_RESPONSE_MESSAGE, updated.media_lengths);
      return null;
    }
    return { job: updated, waitMs: backoffDelay(updated.problem_count, response.retry_after_ms) };
  });
}
