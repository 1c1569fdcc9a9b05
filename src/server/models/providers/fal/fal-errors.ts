import { EngineError } from '#server/models/engine/engine.ts';
import {
  contentRefusedError,
  engineRejectedError,
  isRecord,
  noCreditError,
  ProviderAccountError,
  type UpstreamErrorResponse,
} from '#server/models/engine/upstream-errors.ts';
import { ResponseLostError } from '#server/models/engine/upstream.ts';

const CONTENT_ERROR_TYPES = new Set(['content_policy_violation', 'nsfw_content_detected']);

/** The error types that fal documents. All of them are retryable. */
const REQUEST_ERRORS: Readonly<Record<string, [code: 'timeout' | 'engine_failed', message: string]>> = {
  request_timeout: ['timeout', 'The provider stopped the job because it took too long.'],
  startup_timeout: ['timeout', 'The provider took too long to start.'],
  runner_scheduling_failure: ['engine_failed', 'The provider had no machine for this job.'],
  runner_connection_timeout: ['engine_failed', 'The provider lost the job before it completed.'],
  runner_disconnected: ['engine_failed', 'The provider lost the job before it completed.'],
  runner_connection_refused: ['engine_failed', 'The provider lost the job before it completed.'],
  runner_connection_error: ['engine_failed', 'The provider lost the job before it completed.'],
  runner_incomplete_response: ['engine_failed', 'The provider lost the job before it completed.'],
  runner_server_error: ['engine_failed', 'The provider lost the job before it completed.'],
  internal_error: ['engine_failed', 'The provider lost the job before it completed.'],
  client_disconnected: ['engine_failed', 'The job was canceled at the provider.'],
  client_cancelled: ['engine_failed', 'The job was canceled at the provider.'],
};

/** Maps the error response of a request that is not a result. */
export const mapFalError = (response: UpstreamErrorResponse): Error | null =>
  mapRefusal(response) ?? (response.status === 422 ? rejectedInputError(response) : null);

function mapRefusal({ status, body, message, cause }: UpstreamErrorResponse): Error | null {
  if (status === 403 && /user is locked/i.test(message ?? '')) {
    return /exhausted balance|top_up/i.test(message ?? '') ? noCreditError(cause) : lockedAccountError(cause);
  }
  return readModelErrors(body).some(({ type }) => CONTENT_ERROR_TYPES.has(type))
    ? contentRefusedError(message, cause)
    : null;
}

const lockedAccountError = (cause: Error): EngineError =>
  new ProviderAccountError('The provider has locked the account. Ask the operator to contact fal.', cause);

/** Maps the error response of a completed request. Only errors that fal marks as its own are retryable. */
export function mapFalResultError(response: UpstreamErrorResponse): Error | null {
  const { status, headers, body, message, cause } = response;
  const error = mapRefusal(response);
  if (error) return error;
  const type = headers.get('x-fal-error-type') ?? (isRecord(body) ? body['error_type'] : undefined);
  if (typeof type === 'string') return falRequestError(type, message, cause);
  if (status === 400 && /still in progress/i.test(message ?? '')) {
    return new ResponseLostError('The provider has not stored the result yet.', { cause });
  }
  if (readModelErrors(body).length === 0) return null;
  const failed = status >= 500 || headers.get('x-fal-retryable') === 'true';
  if (!failed) return rejectedInputError(response);
  return new EngineError(
    'engine_failed',
    `The provider failed${message ? `: ${message.replace(/[.!?…]?$/, '.')}` : '.'}`,
    {
      retryable: true,
      cause,
    },
  );
}

/** @param sentence the provider's own message, redacted */
export function falRequestError(type: string, sentence: string | null, cause: Error): EngineError {
  const [code, message] = (Object.hasOwn(REQUEST_ERRORS, type) && REQUEST_ERRORS[type]) || [];
  return code && message
    ? new EngineError(code, message, { retryable: true, cause })
    : engineRejectedError({ message: sentence, cause });
}

/** Names the field, because the sentence does not: “Field required”. */
function rejectedInputError({ body, message, cause }: UpstreamErrorResponse): EngineError {
  const [{ loc } = { loc: [] }] = readModelErrors(body);
  const field = loc.filter((name) => name !== 'body').join('.');
  const isName = /^[\w.-]{1,100}$/.test(field);
  return engineRejectedError({ message: message && isName ? `${field}: ${message}` : message, cause });
}

function readModelErrors(body: unknown): { type: string; loc: readonly unknown[] }[] {
  const detail = isRecord(body) ? body['detail'] : undefined;
  if (!Array.isArray(detail)) return [];
  return detail.filter(isRecord).map(({ type, loc }) => ({ type: String(type), loc: Array.isArray(loc) ? loc : [] }));
}
