import type { MediaLengths } from '#contract/estimate.ts';
import type { ResolvedReference } from '#server/engines/engine.ts';
import { toMediaLengths } from '../validate-media.ts';
import { resolveReferences } from '../resolve-references.ts';
import { withTempDir } from '#server/assets/temp-dir.ts';
import { type UpstreamResponse, callUpstream, isFailedCall } from './call-upstream.ts';
import { finalizeGeneration, failExpired, requestManualReview } from './finalize-generation.ts';
import { type UpstreamJobRow, markSubmitting, recordAccepted, recordProblem } from './upstream-job.ts';
import { MAX_ADAPTER_FAULTS, type UpstreamRun, waitOrSuspend, buildJobRequest, remainingMs } from './upstream-run.ts';
import { backoffDelay, pollDelay } from './poll-delay.ts';

/** A longer wait lets go of the references as well, which are then fetched again. */
const SUSPEND_THRESHOLD_MS = 60_000;

const LOST_RESPONSE_MESSAGE =
  'This was sent to the upstream service and its answer was lost. Look there whether it was made, then decide.';

/** A job that is at work upstream, and when to ask about it. */
export interface AcceptedJob {
  job: UpstreamJobRow;
  wait_ms: number;
}

/**
 * Sends a generation upstream until it is taken.
 * @param before what is known of earlier submits; one in the state `submitting` went out, and its answer is not known
 * @returns null where there is nothing to ask about: it ended, or another worker goes on later
 * @throws what `resolveReferences` throws; the shutdown's reason
 */
export async function submitUpstream(run: UpstreamRun, before: UpstreamJobRow | null): Promise<AcceptedJob | null> {
  const { deps, lease, active_lease, engine, shutdown } = run;
  let is_lost = before?.state === 'submitting';
  if (before && is_lost && !engine.adapter.supports_submit_key) {
    return requestManualReview(run, LOST_RESPONSE_MESSAGE, before.media_lengths);
  }
  return withTempDir(deps.config.media_dir, async (work_dir) => {
    const references = await resolveReferences(
      deps,
      lease.row,
      work_dir,
      AbortSignal.any([active_lease.lost, shutdown]),
    );
    const lengths = toMediaLengths(new Map(references.map(({ path, media }) => [path, media])));
    for (;;) {
      const sent = await submitOnce(run, work_dir, references, lengths);
      if (!sent) return null;
      const { job, answer } = sent;
      if (answer.status === 'accepted') {
        const accepted = await recordAccepted(deps, lease, answer.handle);
        return accepted && { job: accepted, wait_ms: pollDelay(0, answer.poll_after_ms) };
      }
      if (!isFailedCall(answer))
        return finalizeGeneration(run, lengths, answer, AbortSignal.any([active_lease.lost, run.give_up]));
      is_lost ||= answer.status === 'lost';
      const { problem_count } = await recordProblem(deps, job, answer.problem, is_lost ? 'submitting' : 'waiting');
      const left_ms = remainingMs(run, job);
      const is_hopeless = left_ms <= 0 || (answer.is_fault && problem_count >= MAX_ADAPTER_FAULTS);
      if (is_lost && (is_hopeless || !engine.adapter.supports_submit_key))
        return requestManualReview(run, LOST_RESPONSE_MESSAGE, lengths);
      if (is_hopeless) return failExpired(run);
      const wait_ms = Math.min(backoffDelay(problem_count, answer.retry_after_ms), left_ms);
      if (!(await waitOrSuspend(run, wait_ms, SUSPEND_THRESHOLD_MS))) return null;
    }
  });
}

/**
 * One submit. A cancel does not break it off: without its answer nobody could stop the job.
 * @returns null where the lease is gone, and so nothing was sent
 */
async function submitOnce(
  run: UpstreamRun,
  work_dir: string,
  references: readonly ResolvedReference[],
  lengths: MediaLengths,
): Promise<{ job: UpstreamJobRow; answer: UpstreamResponse } | null> {
  const job = await markSubmitting(run.deps, run.lease, run.engine.name, lengths);
  if (!job) return null;
  const signal = AbortSignal.any([run.give_up, AbortSignal.timeout(Math.max(remainingMs(run, job), 1))]);
  const answer = await callUpstream(run, run.give_up, () =>
    run.engine.adapter.submit({ ...buildJobRequest(run, work_dir, signal), references }),
  );
  return { job, answer };
}
