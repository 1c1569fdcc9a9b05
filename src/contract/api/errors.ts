import * as z from 'zod/mini';
import { BUDGET_INTERVALS } from '#contract/money/budget-scope.ts';

/** Every error code with the statuses it may have. Spec: Errors; Decision: Errors */
export const ERROR_STATUSES = {
  invalid_request: [400, 413, 422],
  task_not_found: [400],
  task_unavailable: [400],
  model_required: [400],
  model_not_allowed: [400],
  model_not_found: [400],
  model_unavailable: [400],
  unsupported_task: [400],
  invalid_media_upload: [400],
  idempotency_key_required: [400],
  authentication_error: [401],
  insufficient_balance: [402],
  approval_required: [402],
  not_found: [404],
  generation_not_found: [404],
  workflow_run_not_found: [404],
  webhook_endpoint_not_found: [404],
  method_not_allowed: [405],
  media_upload_timeout: [408],
  idempotency_conflict: [409],
  last_admin_key: [409],
  last_administrator: [409],
  email_taken: [409],
  active_retry_exists: [409],
  not_in_review: [409],
  retry_not_allowed: [409],
  retry_not_latest: [409],
  request_not_pending: [409],
  price_changed: [409],
  schema_changed: [409],
  media_in_use: [409],
  upload_offset_conflict: [409],
  webhook_endpoint_disabled: [409],
  unsupported_tus_version: [412],
  media_upload_too_large: [413],
  rate_limit_exceeded: [429],
  internal_error: [500],
  service_unavailable: [503],
  media_storage_unavailable: [503],
} as const satisfies Record<string, readonly number[]>;

export type ErrorCode = keyof typeof ERROR_STATUSES;
export type ErrorStatus = (typeof ERROR_STATUSES)[ErrorCode][number];

/** Maximum number of `details` in a response; the message states the total. Decision: Errors */
export const MAX_ERROR_DETAILS = 20;

export const ErrorDetail = z.object({
  /** Dotted, with array indexes: `input.images.0.url`. */
  path: z.string(),
  message: z.string(),
});
export type ErrorDetail = z.infer<typeof ErrorDetail>;

/** The budget that a request exceeds. An addition to `insufficient_balance`; absent if the balance itself is too low. */
export const BudgetExceeded = z.object({
  /** As in the list of budgets. */
  id: z.string(),
  key_name: z.nullable(z.string()),
  scope: z.string(),
  /** Name of the person or key; null for other scopes. */
  scope_name: z.nullable(z.string()),
  interval: z.enum(BUDGET_INTERVALS),
  /** First day of the interval, UTC. */
  interval_start: z.string(),
  /** Its month, `YYYY-MM`. */
  month: z.string(),
  needed_usd: z.string(),
  limit_usd: z.string(),
  left_usd: z.string(),
  contact: z.nullable(z.string()),
});
export type BudgetExceeded = z.infer<typeof BudgetExceeded>;

/** With `approval_required`. Decision: Approvals */
export const ApprovalRequired = z.object({ needed_usd: z.string(), limit_usd: z.string() });
export type ApprovalRequired = z.infer<typeof ApprovalRequired>;

export const ApiErrorResponse = z.object({
  error: z.object({
    code: z.enum(Object.keys(ERROR_STATUSES)),
    message: z.string(),
    details: z.optional(z.array(ErrorDetail)),
    budget: z.optional(BudgetExceeded),
    approval: z.optional(ApprovalRequired),
    request_id: z.string(),
  }),
});
export type ApiErrorResponse = {
  error: {
    code: ErrorCode;
    message: string;
    details?: ErrorDetail[];
    budget?: BudgetExceeded;
    approval?: ApprovalRequired;
    request_id: string;
  };
};
