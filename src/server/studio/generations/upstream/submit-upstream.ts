import type { MediaLengths } from '#contract/money/estimate.ts';
import { adaptMasks } from '#server/models/engine/adapt-masks.ts';
import type { ResolvedReference } from '#server/models/engine/engine.ts';
import { errorRequestId, parseRequestId } from '#server/models/engine/request-id.ts';
import type { UpstreamHandle } from '#server/models/engine/upstream.ts';
import { toMediaLengths } from '#server/studio/generations/create/validate-media.ts';
import { nameReferences } from '#server/studio/generations/create/name-references.ts';
import { resolveReferences } from '#server/studio/generations/create/resolve-references.ts';
import { retryWhileUnreachable } from '#server/platform/db/postgres/retry-while-unreachable.ts';
import { withTempDir } from '#server/studio/assets/temp-dir.ts';
import { type UpstreamResponse, callUpstream, isFailedCall } from './call-upstream.ts';
import { finalizeGeneration, failExpired, requestManualReview } from './finalize-generation.ts';
import { type UpstreamJobRow, markSubmitting, recordAccepted, recordProblem } from './upstream-job.ts';
import { findFallback, recordProviderHealth } from './provider-health.ts';
import {
  MAX_ADAPTER_FAULTS,
  type UpstreamRun,
  waitOrSuspend,
  buildJobRequest,
  describeCall,
  remainingMs,
} from './upstream-run.ts';
import { backoffDelay, pollDelay } from './poll-delay.ts';

/** Longer waits suspend the run; its references are then fetched again. */
const SUSPEND_THRESHOLD_MS = 60_000;

const LOOKUP_TIMEOUT_MS = 30_000;
const MAX_LOOKUPS = 4;
/** Waits of up to 8, 16 and 32 seconds. */
const LOOKUP_BACKOFF = 2;

const LOST_RESPONSE_MESSAGE =
  'The request was sent to the provider, but the response was lost. Check there whether it was created, then decide.';

export interface AcceptedJob {
  /** With the engine that accepted it, which may be a fallback. */
  run: UpstreamRun;
  job: UpstreamJobRow;
  waitMs: number;
}

/**
 * Submits a generation upstream until it is accepted.
 * @param before the state of earlier submits; `submitting` means that one was sent and its response is unknown
 * @returns null if there is nothing to poll: the generation has an outcome or is suspended
 * @throws what `resolveReferences` throws; the shutdown's reason
 */
export async function submitUpstream(
  firstRun: UpstreamRun,
  before: UpstreamJobRow | null,
): Promise<AcceptedJob | null> {
  let run = firstRun;
  const { deps, lease, activeLease, shutdown } = run;
  let isResponseLost = before?.state === 'submitting';
  if (before && isResponseLost && !run.engine.adapter.supports_submit_key) {
    return recoverLostSubmit(run, before);
  }
  return withTempDir(deps.config.mediaDir, async (workDir) => {
    const signal = AbortSignal.any([activeLease.lost, shutdown]);
    const resolved = await resolveReferences(deps, lease.row, workDir, signal);
    const references = await adaptMasks(deps.media, resolved, workDir, { owner: lease.row.id, signal });
    const lengths = toMediaLengths(run.lease.row, new Map(references.map(({ path, media }) => [path, media])));
    for (;;) {
      const sent = await submitOnce(run, workDir, references, lengths);
      if (!sent) return null;
      const { job, response, received_at, request_id } = sent;
      if (response.status === 'accepted') {
        const { handle } = response;
        // Without its handle, a job that the provider is working on would need a review.
        const accepted = await retryWhileUnreachable(() => recordAccepted(deps, lease, handle), run.giveUp);
        await recordProviderHealth(run, response);
        return accepted && { run, job: accepted, waitMs: pollDelay(0, response.pollAfterMs) };
      }
      await recordProviderHealth(run, response);
      const fallback = isResponseLost ? null : findFallback(run, response, job.problem_count + 1);
      if (fallback) {
        deps.log.info(
          { generation_id: lease.row.id, from: run.engine.name, to: fallback.name },
          'using the next provider',
        );
        run = { ...run, engine: fallback };
        continue;
      }
      if (!isFailedCall(response)) {
        await finalizeGeneration(run, lengths, response, run.giveUp, { received_at, hasHandle: false, request_id });
        return null;
      }
      isResponseLost ||= response.status === 'lost';
      const { problem_count } = await recordProblem(
        deps,
        job,
        response.problem,
        isResponseLost ? 'submitting' : 'waiting',
      );
      const leftMs = remainingMs(run, job);
      const mustStop = leftMs <= 0 || (response.isFault && problem_count >= MAX_ADAPTER_FAULTS);
      const givesUp = mustStop || !run.engine.adapter.supports_submit_key;
      if (response.status === 'lost' && response.unfetched && givesUp) {
        const completion = { received_at, hasHandle: false, request_id };
        await finalizeGeneration(run, lengths, response.unfetched, run.giveUp, completion);
        return null;
      }
      if (isResponseLost && givesUp) return recoverLostSubmit(run, job);
      if (mustStop) {
        await failExpired(run);
        return null;
      }
      const waitMs = Math.min(backoffDelay(problem_count, response.retry_after_ms), leftMs);
      if (!(await waitOrSuspend(run, waitMs, SUSPEND_THRESHOLD_MS))) return null;
    }
  });
}

/**
 * Asks the provider for a job whose submit had no response, if its protocol allows that; otherwise a person has to look.
 * Asks again for a while: what lost the response may still last, and some providers list a job only once it has started.
 */
async function recoverLostSubmit(run: UpstreamRun, job: UpstreamJobRow): Promise<AcceptedJob | null> {
  const { deps, lease, engine } = run;
  const lookups = engine.adapter.findLostSubmit ? MAX_LOOKUPS : 0;
  for (let lookup = 1; lookup <= lookups; lookup += 1) {
    const handle = await lookUpLostSubmit(run, job);
    if (handle) {
      const accepted = await recordAccepted(deps, lease, handle);
      return accepted && { run, job: accepted, waitMs: 0 };
    }
    if (lookup === lookups || remainingMs(run, job) <= 0) break;
    const waitMs = backoffDelay(lookup + LOOKUP_BACKOFF);
    if (!(await waitOrSuspend(run, waitMs, SUSPEND_THRESHOLD_MS))) return null;
  }
  await requestManualReview(run, LOST_RESPONSE_MESSAGE, job.media_lengths);
  return null;
}

async function lookUpLostSubmit(
  { deps, lease: { row }, engine: { adapter }, shutdown, activeLease }: UpstreamRun,
  job: UpstreamJobRow,
): Promise<UpstreamHandle | null> {
  const signal = AbortSignal.any([activeLease.lost, shutdown, AbortSignal.timeout(LOOKUP_TIMEOUT_MS)]);
  const { task, model, model_version, input, id: submit_key } = row;
  const lost = { task, model, model_version, input, submit_key, submitted_at: job.updated_at, signal };
  const handle = await adapter.findLostSubmit?.(lost).catch((error: unknown) => {
    deps.log.warn({ err: error, generation_id: row.id }, 'lost submit could not be looked up');
  });
  shutdown.throwIfAborted();
  return handle ?? null;
}

/**
 * Sends one submit. A cancellation does not abort it, because without the response the job could not be canceled.
 * @returns null if the lease is lost; nothing was sent then
 */
async function submitOnce(
  run: UpstreamRun,
  workDir: string,
  references: readonly ResolvedReference[],
  lengths: MediaLengths,
): Promise<{ job: UpstreamJobRow; response: UpstreamResponse; received_at: Date; request_id: string | null } | null> {
  const job = await markSubmitting(run.deps, run.lease, run.engine, lengths);
  if (!job) return null;
  const signal = AbortSignal.any([run.giveUp, AbortSignal.timeout(Math.max(remainingMs(run, job), 1))]);
  let requestId: string | null = null;
  const response = await callUpstream(describeCall(run, 'submit'), run.giveUp, () =>
    run.engine.adapter.submit({
      ...buildJobRequest(run, workDir, signal),
      onRequestId(id) {
        requestId = parseRequestId(id);
      },
      input: nameReferences(run.lease.row, references),
      references,
    }),
  );
  if (response.status === 'refused') requestId ??= errorRequestId(response.error);
  return { job, response, received_at: run.deps.clock.now(), request_id: requestId };
}
