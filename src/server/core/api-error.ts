import {
  ERROR_STATUSES,
  MAX_ERROR_DETAILS,
  type BudgetExceeded,
  type ErrorCode,
  type ErrorDetail,
  type ErrorStatus,
} from '#contract/errors.ts';

export interface ApiErrorOptions {
  /** Where the code has several; its first otherwise. */
  status?: ErrorStatus;
  /** All problems; the response lists the first of them. */
  details?: readonly ErrorDetail[];
  /** Of `insufficient_balance`: the budget that is in the way. */
  budget?: BudgetExceeded;
  retry_after_seconds?: number;
  cause?: unknown;
}

/** An answer that is not a success. `message` is for the person, `cause` for the log alone. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly budget: BudgetExceeded | undefined;
  readonly retry_after_seconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(withCount(message, options.details?.length ?? 0), { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status ?? ERROR_STATUSES[code][0];
    this.details = options.details?.slice(0, MAX_ERROR_DETAILS);
    this.budget = options.budget;
    this.retry_after_seconds = options.retry_after_seconds;
  }
}

const withCount = (message: string, count: number): string =>
  count <= MAX_ERROR_DETAILS
    ? message
    : `${message} There are ${count.toLocaleString('en-US')} problems; the first ${MAX_ERROR_DETAILS} are listed.`;
