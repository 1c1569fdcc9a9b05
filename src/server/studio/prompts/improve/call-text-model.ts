import { ApiError } from '#server/platform/core/api-error.ts';
import type { Deps } from '#server/platform/deps.ts';
import { EngineError } from '#server/models/engine/engine.ts';
import { computeTextCost } from '#server/models/text/text-cost.ts';
import type { OfferedTextModel, TextRequest, TextResponse } from '#server/models/text/text-model.ts';
import { describeProviderError, UpstreamStatusError } from '#server/models/engine/upstream-errors.ts';
import { ResponseLostError, UpstreamBusyError } from '#server/models/engine/upstream.ts';
import { OutboundError } from '#server/platform/net/outbound-error.ts';
import { recordConnectionProblem } from '#server/models/connections/connection-health.ts';
import { settleTextCall } from '#server/models/connections/text-model-calls.ts';

const REFUSED = 'The provider’s content rules do not allow this prompt. Change it.';

/**
 * Calls the text model and records what it cost.
 * @param callId from `reserveTextCall`
 * @returns its answer
 * @throws {ApiError} 400, 503; the signal's reason when aborted
 */
export async function callTextModel(
  deps: Deps,
  { connection_id, settings, generate }: OfferedTextModel,
  callId: string,
  request: TextRequest,
): Promise<string> {
  let response: TextResponse;
  try {
    response = await generate(settings.model, request);
  } catch (error) {
    // Whether the provider bills a call without a response is unknown, so what was reserved stays.
    if (isCertainlyFree(error))
      await settleTextCall(deps, callId, { status: 'failed', usage: null, cost_micro_usd: 0n });
    request.signal.throwIfAborted();
    if (error instanceof EngineError && error.code !== 'content_refused')
      await recordConnectionProblem(deps, connection_id, {
        message: describeProviderError(error),
        // The text model alone may be closed to the account, so it does not pause what else the provider runs.
        is_account_problem: false,
      });
    throw toApiError(error);
  }
  const { outcome, text } = response;
  const usage = isReadable(response.usage) ? response.usage : null;
  const bill = usage ? computeTextCost(settings, usage) : 'unreadable';
  const costMicroUsd = bill === 'unreadable' ? undefined : bill;
  const status = outcome === 'complete' ? 'succeeded' : 'failed';
  await settleTextCall(deps, callId, { status, usage, cost_micro_usd: costMicroUsd });
  if (outcome === 'refused') throw refusedError();
  if (outcome === 'cut')
    throw new ApiError('service_unavailable', 'The text model did not finish its answer. Shorten the prompt.');
  return text;
}

const MAX_TOKENS = 1_000_000_000;

const isReadable = (usage: TextResponse['usage']): boolean =>
  usage !== null &&
  [usage.input_tokens, usage.output_tokens].every(
    (tokens) => Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= MAX_TOKENS,
  );

/** The provider rejected the request, or never got it. */
const isCertainlyFree = (error: unknown): boolean =>
  error instanceof UpstreamBusyError || (error instanceof EngineError && error.cause instanceof UpstreamStatusError);

const refusedError = (cause?: unknown): ApiError =>
  new ApiError('invalid_request', REFUSED, { details: [{ path: 'prompt', message: REFUSED }], cause });

function toApiError(error: unknown): unknown {
  if (error instanceof EngineError) {
    if (error.code === 'content_refused') return refusedError(error);
    return new ApiError('model_unavailable', `The text model can’t be used. ${error.message}`, { cause: error });
  }
  if (error instanceof UpstreamBusyError) {
    const isAnswered = error.cause instanceof UpstreamStatusError;
    const problem = isAnswered ? 'is busy' : 'can’t be reached';
    return unavailable(`The text model ${problem}. Try again in a moment.`, error);
  }
  if (error instanceof ResponseLostError) {
    const isLate = error.cause instanceof OutboundError && error.cause.code === 'timeout';
    return unavailable(
      isLate ? 'The text model did not respond in time. Try again.' : 'The text model’s response was lost. Try again.',
      error,
    );
  }
  return error;
}

const unavailable = (message: string, cause: unknown): ApiError =>
  new ApiError('service_unavailable', message, { cause });
