import type { MediaLengths } from '#contract/estimate.ts';
import type { ResolvedReference } from '../../engines/engine.ts';
import { lengthsOf } from '../media-rules.ts';
import { resolveReferences } from '../resolve-references.ts';
import { withScratchFolder } from '../scratch.ts';
import { type Answer, ask, isUnanswered } from './ask.ts';
import { conclude, expire, leaveToPerson } from './conclude.ts';
import { type UpstreamJobRow, markSubmitting, recordAccepted, recordProblem } from './upstream-job.ts';
import { MAX_FAULTS, type UpstreamRun, pause, requestOf, timeLeft } from './upstream-run.ts';
import { backoff, pollWait } from './waits.ts';

/** A longer wait lets go of the references as well, which are then fetched again. */
const PARK_FROM_MS = 60_000;

const NO_ANSWER =
  'This was sent to the upstream service and its answer was lost. Look there whether it was made, then decide.';

/** A job that is at work upstream, and when to ask about it. */
export interface Accepted {
  job: UpstreamJobRow;
  wait_ms: number;
}

/**
 * Sends a generation upstream until it is taken.
 * @param before what is known of earlier submits; one in the state `submitting` went out, and its answer is not known
 * @returns null where there is nothing to ask about: it ended, or another worker goes on later
 * @throws what `resolveReferences` throws; the shutdown's reason
 */
export async function submit(run: UpstreamRun, before: UpstreamJobRow | null): Promise<Accepted | null> {
  const { deps, lease, held, engine, shutdown } = run;
  let is_lost = before?.state === 'submitting';
  if (before && is_lost && !engine.adapter.takes_submit_key) {
    return leaveToPerson(run, NO_ANSWER, before.media_lengths);
  }
  return withScratchFolder(deps.config.media_dir, async (work_dir) => {
    const references = await resolveReferences(deps, lease.row, work_dir, AbortSignal.any([held.lost, shutdown]));
    const lengths = lengthsOf(new Map(references.map(({ path, media }) => [path, media])));
    for (;;) {
      const sent = await sendOnce(run, work_dir, references, lengths);
      if (!sent) return null;
      const { job, answer } = sent;
      if (answer.status === 'accepted') {
        const accepted = await recordAccepted(deps, lease, answer.handle);
        return accepted && { job: accepted, wait_ms: pollWait(0, answer.poll_after_ms) };
      }
      if (!isUnanswered(answer)) return conclude(run, lengths, answer, AbortSignal.any([held.lost, run.give_up]));
      is_lost ||= answer.status === 'lost';
      const { problem_count } = await recordProblem(deps, job, answer.problem, is_lost ? 'submitting' : 'waiting');
      const left_ms = timeLeft(run, job);
      const is_hopeless = left_ms <= 0 || (answer.is_fault && problem_count >= MAX_FAULTS);
      if (is_lost && (is_hopeless || !engine.adapter.takes_submit_key)) return leaveToPerson(run, NO_ANSWER, lengths);
      if (is_hopeless) return expire(run);
      const wait_ms = Math.min(backoff(problem_count, answer.retry_after_ms), left_ms);
      if (!(await pause(run, wait_ms, PARK_FROM_MS))) return null;
    }
  });
}

/**
 * One submit. A cancel does not break it off: without its answer nobody could stop the job.
 * @returns null where the lease is gone, and so nothing was sent
 */
async function sendOnce(
  run: UpstreamRun,
  work_dir: string,
  references: readonly ResolvedReference[],
  lengths: MediaLengths,
): Promise<{ job: UpstreamJobRow; answer: Answer } | null> {
  const job = await markSubmitting(run.deps, run.lease, run.engine.name, lengths);
  if (!job) return null;
  const signal = AbortSignal.any([run.give_up, AbortSignal.timeout(Math.max(timeLeft(run, job), 1))]);
  const answer = await ask(run, run.give_up, () =>
    run.engine.adapter.submit({ ...requestOf(run, work_dir, signal), references }),
  );
  return { job, answer };
}
