import { setTimeout as delay } from 'node:timers/promises';
import type { MediaLengths } from '#contract/estimate.ts';
import { MediaError } from '#server/media/media-error.ts';
import { StorageError } from '#server/storage/storage.ts';
import { type GenerationFailure, RunError, toFailure } from '../failure.ts';
import { openReview } from '../review/open-review.ts';
import { settleFailed, settleSucceeded } from '../settle-generation.ts';
import { type AssetDraft, discardOutputs, storeOutputsForReview, storeOutputs } from '../store-outputs.ts';
import type { FinalResponse } from './call-upstream.ts';
import type { IsCancelLate } from './late-result.ts';
import { toCompletion } from './resolve-cost.ts';
import type { UpstreamRun } from './upstream-run.ts';
import { backoffDelay } from './poll-delay.ts';

const MAX_STORE_ATTEMPTS = 5;

const TIMEOUT_FAILURE: GenerationFailure = {
  code: 'timeout',
  message: 'The provider took too long, so the generation was stopped. Try again.',
  retryable: true,
};

const UNUSABLE_RESULT_MESSAGE =
  'The provider reported success, but its result does not fit the task. Check the result, then decide.';

export async function failExpired({ deps, lease }: UpstreamRun): Promise<null> {
  await settleFailed(deps, lease, TIMEOUT_FAILURE);
  return null;
}

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
 * Completes a generation according to its upstream job:
 * - refused or failed upstream: `failed`;
 * - succeeded with a result that fits the task: `succeeded`;
 * - succeeded with another result, or unclear: `manual_review` with the files that can be stored;
 * - the result can't be stored: `failed`, because a retry creates a new result.
 * @param stop aborts storing; the generation then has no outcome yet
 * @param isCancelLate whether a cancel in the meantime keeps the result
 */
export async function finalizeGeneration(
  run: UpstreamRun,
  lengths: MediaLengths,
  response: FinalResponse,
  stop: AbortSignal,
  isCancelLate: IsCancelLate,
): Promise<null> {
  const { deps, lease } = run;
  const completion = toCompletion(run.engine, lease.row, response, lengths);
  if (response.status === 'refused') {
    deps.log.info({ err: response.error, generation_id: lease.row.id }, 'generation failed upstream');
    const { code, message, retryable } = response.error;
    await settleFailed(deps, lease, { code, message, retryable }, completion);
    return null;
  }
  const outputs: AssetDraft[] = [];
  let may_be_referenced = false;
  try {
    const review_reason = await storeResult(run, response, outputs, stop);
    const result = { outputs, data: response.result?.data ?? null, used: response.result?.used, lengths };
    // If the commit's response is lost, a row may reference the files, so only the sweeper may delete them.
    may_be_referenced = true;
    may_be_referenced = await (review_reason === null
      ? settleSucceeded(deps, lease, result, completion, isCancelLate)
      : openReview(deps, lease, review_reason, result, completion));
  } catch (error) {
    const failure = error instanceof StorageError ? toFailure(error) : null;
    if (!failure) throw error;
    deps.log.error({ err: error, generation_id: lease.row.id }, 'upstream result could not be stored');
    await settleFailed(deps, lease, failure, completion);
  } finally {
    if (!may_be_referenced) await discardOutputs(deps, outputs);
  }
  return null;
}

type CompletedResponse = Exclude<FinalResponse, { status: 'refused' }>;

/** @returns the reason for a review; null if the result fits the task */
async function storeResult(
  { deps, lease: { row } }: UpstreamRun,
  response: CompletedResponse,
  outputs: AssetDraft[],
  stop: AbortSignal,
): Promise<string | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      if (response.status === 'succeeded') {
        const fault = await storeOutputs(deps, row, response.result, outputs, stop).then(
          () => null,
          asContractViolation,
        );
        if (fault === null) return null;
        deps.log.warn({ err: fault, generation_id: row.id }, 'upstream result not usable');
        await discardOutputs(deps, outputs.splice(0));
      }
      await storeOutputsForReview(deps, row, response.result?.files ?? [], outputs, stop);
      return response.status === 'unclear' ? response.reason : UNUSABLE_RESULT_MESSAGE;
    } catch (error) {
      // The result was paid for upstream, so a brief storage outage must not lose it.
      if (!(error instanceof StorageError) || tries === MAX_STORE_ATTEMPTS) throw error;
      await discardOutputs(deps, outputs.splice(0));
      await delay(backoffDelay(tries), undefined, { signal: stop });
    }
  }
}

function asContractViolation(error: unknown): Error {
  if (error instanceof RunError || error instanceof MediaError) return error;
  throw error;
}
