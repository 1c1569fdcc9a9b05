import type { ApiErrorResponse, BudgetExceeded, ErrorCode, ErrorDetail } from '#contract/errors.ts';

/** The service rejected the request. `message` is written for the person. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  /** The budget that rejected the request; null where funds are missing, and for every other error. */
  readonly budget: BudgetExceeded | null;
  readonly request_id: string | null;
  readonly retry_after_seconds: number | null;

  constructor(fields: {
    status: number;
    code: ErrorCode;
    message: string;
    details?: readonly ErrorDetail[];
    budget?: BudgetExceeded;
    request_id?: string | null;
    retry_after_seconds?: number | null;
  }) {
    super(fields.message);
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details ?? [];
    this.budget = fields.budget ?? null;
    this.request_id = fields.request_id ?? null;
    this.retry_after_seconds = fields.retry_after_seconds ?? null;
  }
}

const NETWORK_MESSAGES = {
  unreachable: 'The service can’t be reached. Check the connection and try again.',
  timeout: 'The service did not respond in time. Try again in a moment.',
  unreadable: 'Another server responded, such as a proxy or a network’s sign-in page. Check the network and try again.',
};

/**
 * The service did not respond: the device is offline, the service is down or too slow, the connection was cut, or
 * something in between responded. Whether the call took effect is unknown.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';

  constructor(cause?: unknown, problem: keyof typeof NETWORK_MESSAGES = 'unreachable') {
    super(NETWORK_MESSAGES[problem], { cause });
  }
}

/** Converts the error of a failed `fetch`; an abort of ours stays what it is. */
export function toNetworkError(error: unknown): unknown {
  if (isAbort(error) || error instanceof NetworkError) return error;
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError';
  return new NetworkError(error, isTimeout ? 'timeout' : 'unreachable');
}

/**
 * Parses the body of a successful response.
 * @throws {NetworkError} where it is not JSON
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NetworkError(error, 'unreadable');
  }
}

/** Guesses the code of a response without a readable body, such as a proxy's or another server's page. */
function codeForStatus(status: number): ErrorCode {
  if (status === 401) return 'authentication_error';
  if (status === 404) return 'not_found';
  if (status === 413) return 'invalid_request';
  if (status === 429) return 'rate_limit_exceeded';
  return status === 502 || status === 503 || status === 504 ? 'service_unavailable' : 'internal_error';
}

const DEFAULT_MESSAGES: Partial<Record<ErrorCode, string>> = {
  authentication_error: 'The service rejected your key.',
  not_found: 'The service does not have this endpoint.',
  rate_limit_exceeded: 'Too many requests. Wait a moment and try again.',
  service_unavailable: 'The service is not available right now. Try again in a moment.',
};

/** Parses a `Retry-After` header in seconds, the form the service uses; null for any other. */
const parseRetryAfter = (header: string | null) =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : null;

/**
 * Creates the error of an unsuccessful response.
 * @param text the body
 * @param header reads a header of the response
 */
export function parseApiError(status: number, text: string, header: (name: string) => string | null): ApiError {
  const context = {
    status,
    retry_after_seconds: parseRetryAfter(header('retry-after')),
    request_id: header('x-request-id'),
  };
  const error = parseErrorBody(text);
  if (error) return new ApiError({ ...context, ...error, request_id: error.request_id ?? context.request_id });
  const code = codeForStatus(status);
  return new ApiError({
    ...context,
    code,
    message: DEFAULT_MESSAGES[code] ?? 'The service failed unexpectedly. Try again.',
  });
}

function parseErrorBody(text: string): ApiErrorResponse['error'] | null {
  try {
    const body = JSON.parse(text) as Partial<ApiErrorResponse> | null;
    return typeof body?.error?.code === 'string' && typeof body.error.message === 'string' ? body.error : null;
  } catch {
    return null;
  }
}

export const isAbort = (error: unknown) => error instanceof DOMException && error.name === 'AbortError';

/** Whether the service lacks the addition that was asked for, so that its feature is to be hidden. Decision: Additions */
export const isMissingFeature = (error: unknown) =>
  error instanceof ApiError && error.status === 404 && error.code === 'not_found';

/** Whether the resource of an address does not exist: its id is unknown, or not an id. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 422);

interface QueryStatus {
  error: unknown;
  isPending: boolean;
  fetchStatus: 'fetching' | 'paused' | 'idle';
}

/** Why a query has no data: an error, or a pause while offline. Null while it is loading. */
export function queryError({ error, isPending, fetchStatus }: QueryStatus): unknown {
  if (error) return error;
  return isPending && fetchStatus === 'paused' ? new NetworkError() : null;
}

const MAX_RETRIES = 3;

/** Whether the same request may succeed later: no response came, or the service asks to wait. */
export const isRetryable = (error: unknown) =>
  error instanceof NetworkError || (error instanceof ApiError && (error.status === 429 || error.status === 503));

export const shouldRetry = (failures: number, error: unknown) => failures < MAX_RETRIES && isRetryable(error);

/** Returns the time that the service asks for, else 0.5, 1, 2 s. */
export const retryDelay_ms = (failures: number, error: unknown) =>
  error instanceof ApiError && error.retry_after_seconds !== null
    ? Math.min(error.retry_after_seconds, 30) * 1000
    : 500 * 2 ** failures;
