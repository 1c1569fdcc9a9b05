import { ApiError, NetworkError } from '../api-errors.ts';

const MAX_RETRIES = 3;

/** Whether trying once more, unchanged, may help: no answer came, or the service asks for patience. */
export const isRetryable = (error: unknown) =>
  error instanceof NetworkError || (error instanceof ApiError && (error.status === 429 || error.status === 503));

/** For `retry` of a query or mutation. */
export const shouldRetry = (failures: number, error: unknown) => failures < MAX_RETRIES && isRetryable(error);

/** For `retryDelay`, in milliseconds: what the service asked for, else 0.5, 1, 2 s. */
export const retryDelay_ms = (failures: number, error: unknown) =>
  error instanceof ApiError && error.retry_after_seconds !== null
    ? Math.min(error.retry_after_seconds, 30) * 1000
    : 500 * 2 ** failures;
