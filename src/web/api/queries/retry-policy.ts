import { ApiError, NetworkError } from '../api-errors.ts';

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
