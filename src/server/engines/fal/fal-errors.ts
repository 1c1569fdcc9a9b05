import { EngineError } from '../engine.ts';
import { contentRefused, engineRefused, isRecord, noCredit, type Refusal } from '../upstream-answers.ts';

const CONTENT = new Set(['content_policy_violation', 'nsfw_content_detected']);

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
export function explainFal({ status, body, sentence, cause }: Refusal): Error | null {
  const locked = status === 403 && /exhausted balance/i.test(sentence ?? '');
  if (locked) return noCredit(cause);
  return modelErrorsOf(body).some(({ type }) => CONTENT.has(type)) ? contentRefused(sentence, cause) : null;
}

/** What it means that a request which has ended answers with an error: the work failed, where fal itself says so. */
export function explainResult(refusal: Refusal): Error | null {
  const { status, headers, body, sentence, cause } = refusal;
  const refused = explainFal(refusal);
  if (refused) return refused;
  const type = headers.get('x-fal-error-type') ?? (isRecord(body) ? body['error_type'] : undefined);
  if (typeof type === 'string') return requestFailure(type, sentence, cause);
  if (modelErrorsOf(body).length === 0) return null;
  const failed = status >= 500 || headers.get('x-fal-retryable') === 'true';
  if (!failed) return engineRefused(refusal);
  return new EngineError(
    'engine_failed',
    `The engine failed${sentence ? `: ${sentence.replace(/[.!?…]?$/, '.')}` : '.'}`,
    {
      retryable: true,
      cause,
    },
  );
}

/** Why a request failed, by its error type. @param sentence fit for a person */
export function requestFailure(type: string, sentence: string | null, cause: Error): EngineError {
  const [code, message] = (Object.hasOwn(REQUEST_ERRORS, type) && REQUEST_ERRORS[type]) || [];
  return code && message
    ? new EngineError(code, message, { retryable: true, cause })
    : engineRefused({ sentence, cause });
}

/** Errors of the model itself: `{ detail: [{ loc, msg, type }] }`. */
function modelErrorsOf(body: unknown): { type: string }[] {
  const detail = isRecord(body) ? body['detail'] : undefined;
  if (!Array.isArray(detail)) return [];
  return detail.filter(isRecord).map(({ type }) => ({ type: String(type) }));
}
