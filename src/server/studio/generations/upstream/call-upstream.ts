import { EngineError } from '#server/models/engine/engine.ts';
import { OutputLostError, UnfetchedOutputError } from '#server/models/engine/unfetched-output.ts';
import {
  ResponseLostError,
  UpstreamBusyError,
  type UpstreamEngine,
  type UpstreamState,
} from '#server/models/engine/upstream.ts';
import { type CompletedProviderCall, completedProviderCalls } from '#server/platform/core/process/telemetry.ts';
import { runInSpan } from '#server/platform/core/process/work-context.ts';
import type { Deps } from '#server/platform/deps.ts';

/**
 * The result of a request to an upstream.
 * - `refused`: the job failed or was rejected for good.
 * - `busy`: nothing was accepted; the request may be retried.
 * - `lost`: unknown whether it was accepted. `isFault`: the adapter did not understand the response. `unfetched`: the job
 *   succeeded, and this is how it completes if its outputs can't be fetched later.
 */
export type UpstreamResponse = FinalResponse | FailedCall | Extract<UpstreamState, { status: 'accepted' }>;
export type FinalResponse = Exclude<UpstreamState, { status: 'accepted' }> | { status: 'refused'; error: EngineError };
type FailedCall =
  | { status: 'busy'; problem: string; retry_after_ms: number | null; isFault: false }
  | { status: 'lost'; problem: string; retry_after_ms: null; isFault: boolean; unfetched?: UnclearState };
type UnclearState = Extract<UpstreamState, { status: 'unclear' }>;

export const isFailedCall = (response: UpstreamResponse): response is FailedCall =>
  response.status === 'busy' || response.status === 'lost';

interface UpstreamCall extends Pick<Deps, 'log'> {
  engine: Pick<UpstreamEngine, 'name' | 'provider_model'>;
  generation_id: string;
  operation: 'submit' | 'poll';
}

const UNEXPECTED_RESPONSE_MESSAGE = 'The provider sent an unexpected response.';

/**
 * Calls an upstream and classifies the errors of its adapter.
 * @param stop aborts the request for any reason but time
 * @throws the reason of `stop` if it aborted the request
 */
export async function callUpstream(
  call: UpstreamCall,
  stop: AbortSignal,
  request: () => Promise<UpstreamState>,
): Promise<UpstreamResponse> {
  stop.throwIfAborted();
  const { engine, operation, generation_id } = call;
  const provider = engine.provider_model?.via ?? engine.name;
  const attributes = { 'emulsion.provider': provider, 'emulsion.generation_id': generation_id };
  const startedMs = performance.now();
  let outcome: CompletedProviderCall['outcome'] = 'aborted';
  try {
    const response = await runInSpan(
      `provider ${operation}`,
      { kind: 'client', attributes },
      () => classifyResponse(call, stop, request),
      ({ status }) => ({ 'emulsion.outcome': status }),
    );
    outcome = response.status;
    return response;
  } finally {
    completedProviderCalls.publish({ provider, operation, outcome, duration_ms: performance.now() - startedMs });
  }
}

async function classifyResponse(
  { log, engine, generation_id }: UpstreamCall,
  stop: AbortSignal,
  request: () => Promise<UpstreamState>,
): Promise<UpstreamResponse> {
  try {
    return await request();
  } catch (error) {
    const context = { err: error, generation_id, engine: engine.name };
    if (error instanceof UnfetchedOutputError) {
      log.warn(context, 'upstream output can’t be fetched');
      return toUnclear(error);
    }
    if (error instanceof EngineError) return { status: 'refused', error };
    if (error instanceof UpstreamBusyError) {
      log.info(context, 'upstream busy');
      return { status: 'busy', problem: error.message, retry_after_ms: error.retry_after_ms, isFault: false };
    }
    stop.throwIfAborted();
    if (error instanceof ResponseLostError) {
      log.info(context, 'upstream response lost');
      const unfetched = error instanceof OutputLostError ? { unfetched: toUnclear(error.unfetched) } : {};
      return { status: 'lost', problem: error.message, retry_after_ms: null, isFault: false, ...unfetched };
    }
    log.error(context, 'unexpected upstream response');
    return { status: 'lost', problem: UNEXPECTED_RESPONSE_MESSAGE, retry_after_ms: null, isFault: true };
  }
}

const toUnclear = ({ message, files, cost }: UnfetchedOutputError): UnclearState => ({
  status: 'unclear',
  reason: message,
  result: files.length > 0 ? { files: [...files], data: null } : null,
  ...cost,
});
