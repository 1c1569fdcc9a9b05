import { EngineError } from '../engine.ts';
import {
  contentRefusedError,
  engineRejectedError,
  isRecord,
  noCreditError,
  type UpstreamErrorResponse,
} from '../upstream-errors.ts';

const CONTENT_ERROR_TYPES = new Set(['content_policy_violation', 'nsfw_content_detected']);

/** Error types of requests that fal documents, as sentences; whether the same may go well another time. */
const REQUEST_ERRORS: Readonly<Record<string, [code: 'timeout' | 'engine_failed', message: string]>> = {
  request_timeout: ['timeout', 'The engine took too long and stopped.'],
  startup_timeout: ['timeout', 'The engine took too long to start.'],
  runner_scheduling_failure: ['engine_failed', 'The engine found no machine for this.'],
  runner_connection_timeout: ['engine_failed', 'The engine broke off.'],
  runner_disconnected: ['engine_failed', 'The engine broke off.'],
  runner_connection_refused: ['engine_failed', 'The engine broke off.'],
  runner_connection_error: ['engine_failed', 'The engine broke off.'],
  runner_incomplete_response: ['engine_failed', 'The engine broke off.'],
  runner_server_error: ['engine_failed', 'The engine broke off.'],
  internal_error: ['engine_failed', 'The engine broke off.'],
  client_disconnected: ['engine_failed', 'The work was canceled at the engine.'],
  client_cancelled: ['engine_failed', 'The work was canceled at the engine.'],
};

/** What an answer about the queue means, where it says more than its status. */
export function mapFalError({ status, body, message, cause }: UpstreamErrorResponse): Error | null {
  const locked = status === 403 && /exhausted balance/i.test(message ?? '');
  if (locked) return noCreditError(cause);
  return readModelErrors(body).some(({ type }) => CONTENT_ERROR_TYPES.has(type))
    ? contentRefusedError(message, cause)
    : null;
}

/** What it means that a request which has ended answers with an error: the work failed, where fal itself says so. */
export function mapFalResultError(refusal: UpstreamErrorResponse): Error | null {
  const { status, headers, body, message, cause } = refusal;
  const refused = mapFalError(refusal);
  if (refused) return refused;
  const type = headers.get('x-fal-error-type') ?? (isRecord(body) ? body['error_type'] : undefined);
  if (typeof type === 'string') return falRequestError(type, message, cause);
  if (readModelErrors(body).length === 0) return null;
  const failed = status >= 500 || headers.get('x-fal-retryable') === 'true';
  if (!failed) return engineRejectedError(refusal);
  return new EngineError(
    'engine_failed',
    `The engine failed${message ? `: ${message.replace(/[.!?…]?$/, '.')}` : '.'}`,
    {
      retryable: true,
      cause,
    },
  );
}

/** Why a request failed, by its error type. @param sentence fit for a person */
export function falRequestError(type: string, sentence: string | null, cause: Error): EngineError {
  const [code, message] = (Object.hasOwn(REQUEST_ERRORS, type) && REQUEST_ERRORS[type]) || [];
  return code && message
    ? new EngineError(code, message, { retryable: true, cause })
    : engineRejectedError({ message: sentence, cause });
}

/** Errors of the model itself: `{ detail: [{ loc, msg, type }] }`. */
function readModelErrors(body: unknown): { type: string }[] {
  const detail = isRecord(body) ? body['detail'] : undefined;
  if (!Array.isArray(detail)) return [];
  return detail.filter(isRecord).map(({ type }) => ({ type: String(type) }));
}
