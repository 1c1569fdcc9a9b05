import { withScratchFolder } from '../scratch.ts';
import { ask, isUnanswered } from './ask.ts';
import { conclude, expire, leaveToPerson } from './conclude.ts';
import type { Accepted } from './submit.ts';
import { type UpstreamJobRow, recordAccepted, recordProblem } from './upstream-job.ts';
import { MAX_FAULTS, type UpstreamRun, pause, requestOf, timeLeft } from './upstream-run.ts';
import { backoff, pollWait } from './waits.ts';

/** A longer wait is left to the queue, so that waiting takes no slot and no lease. */
const PARK_FROM_MS = 5_000;
/** For the last answer of all, its outputs included. */
const LAST_ANSWER_MS = 10 * 60_000;

const NOT_UNDERSTOOD =
  'The upstream service has this, but its answers are not understood. Look there what became of it, then decide.';

/**
 * Asks about an accepted job until it has ended, is let go for a while, or its time is over.
 * @throws the shutdown's reason
 */
export async function poll(run: UpstreamRun, accepted: Accepted): Promise<null> {
  let { job, wait_ms } = accepted;
  for (;;) {
    if (!(await pause(run, Math.min(wait_ms, Math.max(timeLeft(run, job), 0)), PARK_FROM_MS))) return null;
    const asked = await pollOnce(run, job);
    if (!asked) return null;
    // What has ended in time may have been asked about too late: the last answer counts.
    if (timeLeft(run, asked.job) <= 0) return expire(run);
    ({ job, wait_ms } = asked);
  }
}

/** @returns null where it is over */
async function pollOnce(run: UpstreamRun, job: UpstreamJobRow): Promise<Accepted | null> {
  const { deps, lease, held, engine, shutdown } = run;
  const { handle } = job;
  if (!handle) throw new Error('An accepted job has no handle.');
  const stop = AbortSignal.any([held.lost, shutdown]);
  return withScratchFolder(deps.config.media_dir, async (work_dir) => {
    const limit_ms = Math.max(timeLeft(run, job), 0) + LAST_ANSWER_MS;
    const signal = AbortSignal.any([stop, AbortSignal.timeout(limit_ms)]);
    const answer = await ask(run, stop, () => engine.adapter.poll(requestOf(run, work_dir, signal), handle));
    if (answer.status === 'accepted') {
      if (answer.progress !== null) held.setProgress(answer.progress);
      const is_news = job.problem_count > 0 || JSON.stringify(answer.handle) !== JSON.stringify(handle);
      const kept = is_news ? await recordAccepted(deps, lease, answer.handle) : job;
      const age_ms = engine.deadline_ms - timeLeft(run, job);
      return kept && { job: kept, wait_ms: pollWait(age_ms, answer.poll_after_ms) };
    }
    if (!isUnanswered(answer)) return conclude(run, job.media_lengths, answer, stop);
    const kept = await recordProblem(deps, job, answer.problem, 'accepted');
    if (answer.is_fault && kept.problem_count >= MAX_FAULTS) {
      return leaveToPerson(run, NOT_UNDERSTOOD, kept.media_lengths);
    }
    return { job: kept, wait_ms: backoff(kept.problem_count, answer.retry_after_ms) };
  });
}
