import {
  ERROR_STATUSES,
  type BudgetRefusal,
  type ErrorCode,
  type ErrorDetail,
  type ErrorStatus,
} from '#contract/errors.ts';

export interface ApiErrorOptions {
  /** Where the code has several; its first otherwise. */
  status?: ErrorStatus;
  details?: readonly ErrorDetail[];
  /** Of `insufficient_balance`: the budget that is in the way. */
  budget?: BudgetRefusal;
  retry_after_seconds?: number;
  cause?: unknown;
}

/** An answer that is not a success. `message` is for the person, `cause` for the log alone. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly budget: BudgetRefusal | undefined;
  readonly retry_after_seconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status ?? ERROR_STATUSES[code][0];
    this.details = options.details;
    this.budget = options.budget;
    this.retry_after_seconds = options.retry_after_seconds;
  }
}
