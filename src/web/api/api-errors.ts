import type { ApiErrorResponse, BudgetExceeded, ErrorCode, ErrorDetail } from '#contract/api/errors.ts';

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
  /** Whether a proxy in front of the service rejected the request, which the service has not seen. */
  readonly isFromProxy: boolean;

  constructor(fields: {
    status: number;
    code: ErrorCode;
    message: string;
    details?: readonly ErrorDetail[];
    budget?: BudgetExceeded;
    request_id?: string | null;
    retry_after_seconds?: number | null;
    isFromProxy?: boolean;
  }) {
    super(fields.message);
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details ?? [];
    this.budget = fields.budget ?? null;
    this.request_id = fields.request_id ?? null;
    this.retry_after_seconds = fields.retry_after_seconds ?? null;
    this.isFromProxy = fields.isFromProxy ?? false;
  }
}

const NETWORK_MESSAGES = {
  unreachable: 'The service can’t be reached. Check the connection and try again.',
  timeout: 'The service did not respond in time. Try again in a moment.',
  unreadable: 'Another server responded, such as a proxy or a network’s sign-in page. Check the network and try again.',
  proxy_unreached:
    'The proxy in front of the service can’t reach it. Try again in a moment. If this stays, tell the administrator.',
  proxy_timeout:
    'The proxy in front of the service got no response in time. Try again in a moment. If this stays, tell the administrator.',
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

/** What a response means that has no error of the service in it, and so comes from a proxy or another server. */
const PROXY_RESPONSES: Readonly<Record<number, { code: ErrorCode; message: string }>> = {
  401: { code: 'authentication_error', message: 'The service rejected your key.' },
  404: { code: 'not_found', message: 'The service does not have this endpoint.' },
  413: {
    code: 'invalid_request',
    message:
      'A proxy in front of the service limits the size of requests. Ask the administrator to raise the limit (in nginx: client_max_body_size).',
  },
  429: { code: 'rate_limit_exceeded', message: 'Too many requests. Wait a moment and try again.' },
};

/** Statuses of proxies, some of Cloudflare, that got no response of the service in time. */
const PROXY_TIMEOUTS: ReadonlySet<number> = new Set([504, 522, 524]);

/** Parses a `Retry-After` header in seconds, the form the service uses; null for any other. */
const parseRetryAfter = (header: string | null) =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : null;

/**
 * Creates the error of an unsuccessful response. From 502 on, a proxy doesn't know whether the request took effect.
 * @param text the body
 * @param header reads a header of the response
 */
export function parseErrorResponse(
  status: number,
  text: string,
  header: (name: string) => string | null,
): ApiError | NetworkError {
  const context = {
    status,
    retry_after_seconds: parseRetryAfter(header('retry-after')),
    request_id: header('x-request-id'),
  };
  const error = parseErrorBody(text);
  if (error) return new ApiError({ ...context, ...error, request_id: error.request_id ?? context.request_id });
  if (status >= 502)
    return new NetworkError(undefined, PROXY_TIMEOUTS.has(status) ? 'proxy_timeout' : 'proxy_unreached');
  const known = PROXY_RESPONSES[status] ?? {
    code: status < 500 ? 'invalid_request' : 'internal_error',
    message: `A proxy in front of the service rejected the request (status ${status}). Tell the administrator.`,
  };
  return new ApiError({ ...context, ...known, isFromProxy: true });
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

/** Whether the resource of an address does not exist: its id is unknown, or not an id. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 422);

export interface QueryStatus {
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
export const retryDelayMs = (failures: number, error: unknown) =>
  error instanceof ApiError && error.retry_after_seconds !== null
    ? Math.min(error.retry_after_seconds, 30) * 1000
    : 500 * 2 ** failures;
