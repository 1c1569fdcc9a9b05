import { ERROR_STATUSES, type ErrorCode, type ErrorDetail, type ErrorStatus } from '#contract/errors.ts';

/** An answer that is not a success. `message` is for the person, `cause` for the log alone. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retry_after_seconds: number | undefined;

  /** @param options.status where the code has several; its first otherwise */
  constructor(
    code: ErrorCode,
    message: string,
    options: {
      status?: ErrorStatus;
      details?: readonly ErrorDetail[];
      retry_after_seconds?: number;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status ?? ERROR_STATUSES[code][0];
    this.details = options.details;
    this.retry_after_seconds = options.retry_after_seconds;
  }
}
