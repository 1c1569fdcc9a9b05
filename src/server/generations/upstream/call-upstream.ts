import { EngineError } from '#server/engines/engine.ts';
import { ResponseLostError, UpstreamBusyError, type UpstreamState } from '#server/engines/upstream.ts';
import type { UpstreamRun } from './upstream-run.ts';

/**
 * What came of asking an upstream.
 * - `refused`: the job failed, or was not taken and never will be.
 * - `busy`: nothing was taken; it may be asked again.
 * - `lost`: whether it was taken is not known. `is_fault`: the adapter could not cope with what it found.
 */
export type UpstreamResponse = FinalResponse | FailedCall | Extract<UpstreamState, { status: 'accepted' }>;
/** After these there is nothing more to ask. */
export type FinalResponse = Exclude<UpstreamState, { status: 'accepted' }> | { status: 'refused'; error: EngineError };
export type FailedCall =
  | { status: 'busy'; problem: string; retry_after_ms: number | null; is_fault: false }
  | { status: 'lost'; problem: string; retry_after_ms: null; is_fault: boolean };

export const isFailedCall = (answer: UpstreamResponse): answer is FailedCall =>
  answer.status === 'busy' || answer.status === 'lost';

const UNEXPECTED_RESPONSE_MESSAGE = 'The upstream service answered something that was not understood.';

/**
 * Asks an upstream, and tells apart what its adapter throws.
 * @param stop what breaks a request off for a reason other than time
 * @throws the reason of `stop` where that is what broke it off
 */
export async function callUpstream(
  { deps, lease, engine }: UpstreamRun,
  stop: AbortSignal,
  request: () => Promise<UpstreamState>,
): Promise<UpstreamResponse> {
  stop.throwIfAborted();
  try {
    return await request();
  } catch (error) {
    if (error instanceof EngineError) return { status: 'refused', error };
    const context = { err: error, generation_id: lease.row.id, engine: engine.name };
    if (error instanceof UpstreamBusyError) {
      deps.log.info(context, 'upstream busy');
      return { status: 'busy', problem: error.message, retry_after_ms: error.retry_after_ms, is_fault: false };
    }
    stop.throwIfAborted();
    if (error instanceof ResponseLostError) {
      deps.log.info(context, 'upstream answer lost');
      return { status: 'lost', problem: error.message, retry_after_ms: null, is_fault: false };
    }
    deps.log.error(context, 'upstream answer not understood');
    return { status: 'lost', problem: UNEXPECTED_RESPONSE_MESSAGE, retry_after_ms: null, is_fault: true };
  }
}
