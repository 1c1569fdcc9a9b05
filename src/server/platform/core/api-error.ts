import {
  ERROR_STATUSES,
  MAX_ERROR_DETAILS,
  type ApprovalRequired,
  type BudgetExceeded,
  type ErrorCode,
  type ErrorDetail,
  type ErrorStatus,
} from '#contract/api/errors.ts';
import { cutName, cutText } from './cut-text.ts';

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

const MAX_MESSAGE_CHARACTERS = 2_000;
/** Of all details of an error; the first one is always there. */
const MAX_DETAIL_CHARACTERS = 10_000;

/** Details repeat text of the request, which may be as long as its body. Decision: Errors */
function boundDetails(details: readonly ErrorDetail[]): ErrorDetail[] {
  const listed: ErrorDetail[] = [];
  let characters = 0;
  for (const detail of details.slice(0, MAX_ERROR_DETAILS)) {
    const { path, message } = { path: cutName(detail.path), message: cutText(detail.message, MAX_MESSAGE_CHARACTERS) };
    characters += path.length + message.length;
    if (characters > MAX_DETAIL_CHARACTERS) break;
    listed.push({ path, message });
  }
  return listed;
}

/** An error response. `message` is shown to the caller; `cause` is only logged. Texts of requests in it are cut. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: ErrorStatus;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly budget: BudgetExceeded | undefined;
  readonly approval: ApprovalRequired | undefined;
  readonly retry_after_seconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    const details = options.details && boundDetails(options.details);
    const omitted = (options.details?.length ?? 0) - (details?.length ?? 0);
    super(withCount(cutText(message, MAX_MESSAGE_CHARACTERS), details?.length ?? 0, omitted), { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status ?? ERROR_STATUSES[code][0];
    this.details = details;
    this.budget = options.budget;
    this.approval = options.approval;
    this.retry_after_seconds = options.retry_after_seconds;
  }
}

const withCount = (message: string, listed: number, omitted: number): string =>
  omitted === 0
    ? message
    : `${message} There are ${(listed + omitted).toLocaleString('en-US')} problems; the first ${listed} are listed.`;

/** @throws {ApiError} 404 */
export function assertFound(found: unknown, kind: string): asserts found {
  if (!found) throw new ApiError('not_found', `${kind} not found.`);
}
