import {
  ERROR_STATUSES,
  MAX_ERROR_DETAILS,
  type ApprovalRequired,
  type BudgetExceeded,
  type ErrorCode,
  type ErrorDetail,
  type ErrorStatus,
} from '#contract/errors.ts';

export interface ApiErrorOptions {
  /** For codes with several statuses; the code's first one by default. */
  status?: ErrorStatus;
  /** All problems; the response lists only the first ones. */
  details?: readonly ErrorDetail[];
  /** With `insufficient_balance`: the budget that is exceeded. */
  budget?: BudgetExceeded;
  /** With `approval_required`: the price and the limit. */
  approval?: ApprovalRequired;
  retry_after_seconds?: number;
  cause?: unknown;
}

/** An error response. `message` is shown to the caller; `cause` is only logged. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly budget: BudgetExceeded | undefined;
  readonly approval: ApprovalRequired | undefined;
  readonly retry_after_seconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(withCount(message, options.details?.length ?? 0), { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status ?? ERROR_STATUSES[code][0];
    this.details = options.details?.slice(0, MAX_ERROR_DETAILS);
    this.budget = options.budget;
    this.approval = options.approval;
    this.retry_after_seconds = options.retry_after_seconds;
  }
}

const withCount = (message: string, count: number): string =>
  count <= MAX_ERROR_DETAILS
    ? message
    : `${message} There are ${count.toLocaleString('en-US')} problems; the first ${MAX_ERROR_DETAILS} are listed.`;

/** @throws {ApiError} 404 */
export function assertFound(found: unknown, kind: string): asserts found {
  if (!found) throw new ApiError('not_found', `${kind} not found.`);
}
