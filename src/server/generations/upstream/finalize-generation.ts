import { setTimeout as delay } from 'node:timers/promises';
import type { MediaLengths } from '#contract/estimate.ts';
import { MediaError } from '#server/media/media-error.ts';
import { StorageError } from '#server/storage/storage.ts';
import { type GenerationFailure, RunError, toFailure } from '../failure.ts';
import { openReview } from '../review/open-review.ts';
import { settleFailed, settleSucceeded } from '../settle-generation.ts';
import { type AssetDraft, discardOutputs, storeOutputsForReview, storeOutputs } from '../store-outputs.ts';
import type { FinalResponse } from './call-upstream.ts';
import type { UpstreamCompletion } from './upstream-job.ts';
import type { UpstreamRun } from './upstream-run.ts';
import { backoffDelay } from './poll-delay.ts';

const MAX_STORE_ATTEMPTS = 5;

const TIMEOUT_FAILURE: GenerationFailure = {
  code: 'timeout',
  message: 'The upstream service took too long, so this was stopped.',
  retryable: true,
};

const UNUSABLE_RESULT_MESSAGE =
  'The upstream service says that this is done, but what it gave is not what the task promises. Look at what there is, then decide.';

/** Ends a generation whose time is over; what is at work upstream is stopped. */
export async function failExpired({ deps, lease }: UpstreamRun): Promise<null> {
  await settleFailed(deps, lease, TIMEOUT_FAILURE);
  return null;
}

/** Leaves a generation to a person without any result. */
export async function requestManualReview(
  { deps, lease }: UpstreamRun,
  reason: string,
  lengths: MediaLengths,
): Promise<null> {
  deps.log.warn({ generation_id: lease.row.id, reason }, 'generation needs review');
  await openReview(deps, lease, reason, { outputs: [], data: null, lengths });
  return null;
}

/**
 * Ends a generation as its job upstream has ended:
 * - the upstream refused it or says that it failed: `failed`;
 * - it says that it is done, and the result is what the task promises: `succeeded`;
 * - it says so and the result is something else, or it does not know itself: `manual_review`, with what there is;
 * - the result can't be stored here: `failed`, since another attempt makes another.
 * @param stop breaks the storing off, and leaves no outcome then
 */
export async function finalizeGeneration(
  run: UpstreamRun,
  lengths: MediaLengths,
  answer: FinalResponse,
  stop: AbortSignal,
): Promise<null> {
  const { deps, lease } = run;
  if (answer.status === 'refused') {
    deps.log.info({ err: answer.error, generation_id: lease.row.id }, 'generation failed upstream');
    const { code, message, retryable } = answer.error;
    await settleFailed(deps, lease, { code, message, retryable }, { cost_micro_usd: null, handle: undefined });
    return null;
  }
  const end: UpstreamCompletion = { cost_micro_usd: answer.cost_micro_usd ?? null, handle: answer.handle };
  const outputs: AssetDraft[] = [];
  let kept = false;
  try {
    const doubt = await storeResult(run, answer, outputs, stop);
    const made = { outputs, data: answer.result?.data ?? null, used: answer.result?.used, lengths };
    // From here on the files may be named by a row, even where the answer to the commit is lost: the sweeper judges.
    kept = true;
    kept = await (doubt === null ? settleSucceeded(deps, lease, made, end) : openReview(deps, lease, doubt, made, end));
  } catch (error) {
    const failure = error instanceof StorageError ? toFailure(error) : null;
    if (!failure) throw error;
    deps.log.error({ err: error, generation_id: lease.row.id }, 'upstream result could not be stored');
    await settleFailed(deps, lease, failure, end);
  } finally {
    if (!kept) await discardOutputs(deps, outputs);
  }
  return null;
}

type CompletedResponse = Exclude<FinalResponse, { status: 'refused' }>;

/** @returns why a person has to decide; null where the result is what the task promises */
async function storeResult(
  { deps, lease: { row } }: UpstreamRun,
  answer: CompletedResponse,
  outputs: AssetDraft[],
  stop: AbortSignal,
): Promise<string | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (answer.status === 'succeeded') {
        const fault = await storeOutputs(deps, row, answer.result, outputs, stop).then(() => null, asContractViolation);
        if (fault === null) return null;
        deps.log.warn({ err: fault, generation_id: row.id }, 'upstream result not usable');
        await discardOutputs(deps, outputs.splice(0));
      }
      await storeOutputsForReview(deps, row, answer.result?.files ?? [], outputs, stop);
      return answer.status === 'unclear' ? answer.reason : UNUSABLE_RESULT_MESSAGE;
    } catch (error) {
      // It was paid for upstream: a store that is away for a moment must not lose it.
      if (!(error instanceof StorageError) || tries === MAX_STORE_ATTEMPTS) throw error;
      await discardOutputs(deps, outputs.splice(0));
      await delay(backoffDelay(tries), undefined, { signal: stop });
    }
  }
}

/** What an upstream gave that is not what it promised. @throws any other error */
function asContractViolation(error: unknown): Error {
  if (error instanceof RunError || error instanceof MediaError) return error;
  throw error;
}
