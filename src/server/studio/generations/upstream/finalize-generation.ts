import type { MediaLengths } from '#contract/money/estimate.ts';
import type { GenerationFailure } from '#server/studio/generations/failure.ts';
import { completeResult } from '#server/studio/generations/results/complete-result.ts';
import { openReview } from '#server/studio/generations/review/open-review.ts';
import { settleFailed } from '#server/studio/generations/settle-generation.ts';
import type { FinalResponse } from './call-upstream.ts';
import { toCompletion } from './resolve-cost.ts';
import type { UpstreamRun } from './upstream-run.ts';

const TIMEOUT_FAILURE: GenerationFailure = {
  code: 'timeout',
  message: 'The provider took too long, so the generation was stopped. Try again.',
  retryable: true,
};

export async function failExpired({ deps, lease }: UpstreamRun): Promise<void> {
  await settleFailed(deps, lease, TIMEOUT_FAILURE);
}

export async function requestManualReview(
  { deps, lease }: UpstreamRun,
  reason: string,
  lengths: MediaLengths,
): Promise<void> {
  deps.log.warn({ generation_id: lease.row.id, reason }, 'generation needs review');
  await openReview(deps, lease, reason, { outputs: [], data: null, lengths });
}

/**
 * Completes a generation according to its upstream job: `failed` if that was refused or failed, else see
 * `completeResult`.
 * @param stop aborts storing; the generation then has no outcome yet
 * @param received_at a cancel from then on keeps the result
 */
export async function finalizeGeneration(
  run: UpstreamRun,
  lengths: MediaLengths,
  response: FinalResponse,
  stop: AbortSignal,
  { received_at, hasHandle, request_id = null }: { received_at: Date; hasHandle: boolean; request_id?: string | null },
): Promise<void> {
  const { deps, lease, activeLease } = run;
  const completion = { ...toCompletion(run.engine, lease.row, response, lengths), request_id };
  if (completion.cost_basis === 'unreadable')
    deps.log.warn({ generation_id: lease.row.id, engine: run.engine.name }, 'the bill of the provider is unreadable');
  if (response.status === 'refused') {
    const { code, message, retryable } = response.error;
    const { id: generation_id, task, model } = lease.row;
    deps.log.warn({ generation_id, task, model, code, reason: message }, 'generation failed upstream');
    await settleFailed(deps, lease, { code, message, retryable }, completion);
    return;
  }
  const reviewReason = response.status === 'unclear' ? response.reason : null;
  await completeResult(
    { deps, lease, activeLease, stop, hasHandle },
    {
      ...(response.result ?? { files: [], data: null }),
      lengths,
      upstream: { completion, reviewReason, received_at },
    },
  );
}
