import * as z from 'zod/mini';
import {
  defineEndpoints,
  GENERATION_REQUEST_CODES,
  INVALID_REQUEST,
  RETRY_CODES,
  SERVICE_UNAVAILABLE,
} from '#contract/api/endpoint.ts';
import { MAX_ORDER_BYTES, MAX_ORDER_VALUES } from '../limits.ts';
import {
  id,
  jsonObject,
  listSchema,
  modelId,
  pathId,
  queryCursor,
  queryInteger,
  querySchema,
  taskId,
  timestamp,
  usd,
} from '../primitives.ts';
import { BatchCreate } from './batch.ts';
import { Budget, dollarsSchema } from './budget.ts';
import { GenerationCreate } from './generation.ts';
import { WorkflowRunCreate } from './workflow-run.ts';

const REQUEST_KINDS = ['budget', 'order'] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

const REQUEST_STATUSES = ['pending', 'approved', 'rejected', 'canceled'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** An order that a limit held back: what would have been sent to create or to retry. */
export const OrderRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('generation'), generation: GenerationCreate }),
  z.strictObject({ type: z.literal('generation_retry'), generation_id: pathId() }),
  z.strictObject({ type: z.literal('workflow_run'), workflow_run: WorkflowRunCreate }),
  z.strictObject({
    type: z.literal('workflow_run_retry'),
    workflow_run_id: pathId(),
    inputs: z.optional(jsonObject()),
  }),
  z.strictObject({ type: z.literal('batch'), batch: BatchCreate }),
]);
export type OrderRequest = z.infer<typeof OrderRequest>;

const who = z.strictObject({ id: id('key'), name: z.string() });
const noteSchema = () => z.string().check(z.trim(), z.minLength(1, 'Add a note.'), z.maxLength(500));

/** Decision: Approvals */
export const ApprovalRequest = z.strictObject({
  id: id('req'),
  object: z.literal('request'),
  kind: z.enum(REQUEST_KINDS),
  status: z.enum(REQUEST_STATUSES),
  note: z.string(),
  /** The increase of the budget, or the price of the order when it was made. */
  amount_usd: usd(),
  /** The key row of the person, or the key, that asks. */
  created_by: who,
  created_at: timestamp(),
  /** null: the service itself, or nobody yet. */
  decided_by: z.nullable(who),
  decided_at: z.nullable(timestamp()),
  reason: z.nullable(z.string()),
  /** The budget as it is now; null: an order, or the budget was deleted. */
  budget: z.nullable(Budget),
  /** Raise the limit for good, instead of once for the current interval. */
  permanent: z.boolean(),
  order: z.nullable(
    z.strictObject({
      type: z.enum(['generation', 'generation_retry', 'workflow_run', 'workflow_run_retry', 'batch']),
      task: z.nullable(taskId()),
      model: z.nullable(modelId()),
      /** Orders of a batch. An addition. */
      count: z.optional(z.int()),
      starter_slug: z.nullable(z.string()),
      /** What is retried: a generation or a run. */
      retry_of: z.nullable(z.string()),
      /** Whether the most that it can cost was known; if not, the price is the least. */
      is_bounded: z.boolean(),
      /** Long values are cut in lists. */
      input: jsonObject(),
      /** Values of tags that billing counts it by; of a batch several in one text. Not in lists. An addition. */
      tags: z.optional(z.record(z.string(), z.string())),
    }),
  ),
  /** What an approved order became. */
  generation_id: z.nullable(id('gen')),
  workflow_run_id: z.nullable(id('run')),
  batch_id: z.optional(z.nullable(id('bat'))),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

export const ApprovalRequestCreate = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('budget'),
    budget_id: pathId(),
    amount_usd: dollarsSchema('Enter an amount in dollars such as 5.'),
    permanent: z._default(z.boolean(), false),
    note: noteSchema(),
  }),
  z.strictObject({ kind: z.literal('order'), order: OrderRequest, note: noteSchema() }),
]);
export type ApprovalRequestCreate = z.infer<typeof ApprovalRequestCreate>;

/** What an order that waits would cost now. Decision: Approvals */
export const RequestEstimate = z.strictObject({
  object: z.literal('request_estimate'),
  /** null: it can no longer be placed. */
  amount_usd: z.nullable(usd()),
  is_bounded: z.boolean(),
  /** Why an approval would reject it. */
  problem: z.nullable(z.string()),
  /** Of the organization. An addition, like the budgets. */
  available_usd: z.optional(usd()),
  /** Budgets that all of the order counts towards, with what is left of them after it: below zero, it is rejected. */
  budgets: z.optional(z.array(z.strictObject({ budget: Budget, left_after_usd: usd() }))),
});
export type RequestEstimate = z.infer<typeof RequestEstimate>;

/**
 * `amount_usd` and `permanent` replace what was asked for, in an approval of more budget. In an approval of an order,
 * `amount_usd` is the highest price that is approved, instead of the price when it was asked for.
 */
export const ApprovalDecision = z.strictObject({
  decision: z.enum(['approve', 'reject']),
  amount_usd: z.optional(dollarsSchema('Enter an amount in dollars such as 5.')),
  permanent: z.optional(z.boolean()),
  reason: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(500)))),
});
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

const requestPath = { params: z.object({ request_id: pathId() }) };

/** Decision: Approvals */
export const requestEndpoints = defineEndpoints('Requests', {
  list_requests: {
    summary: 'List one’s own requests; everyone’s with the permission reviews.read',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      status: z.optional(z.enum(REQUEST_STATUSES)),
      /** `true`: only one’s own. */
      own: z.optional(z.enum(['true', 'false'])),
    }),
    status: 200,
    response: listSchema(ApprovalRequest),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  create_request: {
    response: ApprovalRequest,
    summary: 'Ask for more of a budget, or for an order above the limit',
    body: ApprovalRequestCreate,
    maxJsonValues: MAX_ORDER_VALUES,
    maxJsonBytes: MAX_ORDER_BYTES,
    idempotency: 'optional',
    status: 201,
    errors: {
      400: GENERATION_REQUEST_CODES,
      404: ['not_found', 'generation_not_found', 'workflow_run_not_found'],
      409: RETRY_CODES,
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  },
  get_request: {
    ...requestPath,
    response: ApprovalRequest,
    summary: 'Read a request, with the whole input of its order',
    status: 200,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  estimate_request: {
    ...requestPath,
    summary: 'Validate and price an order that waits for an approval, as it would be placed now',
    status: 200,
    response: RequestEstimate,
    errors: {
      404: ['not_found'],
      409: ['request_not_pending'],
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  },
  cancel_request: {
    ...requestPath,
    response: ApprovalRequest,
    summary: 'Cancel one’s own request',
    status: 200,
    errors: { 404: ['not_found'], 409: ['request_not_pending'], 422: INVALID_REQUEST },
  },
  decide_request: {
    ...requestPath,
    response: ApprovalRequest,
    summary: 'Approve or reject a request; approved, the budget is raised or the order is placed',
    body: ApprovalDecision,
    idempotency: 'optional',
    status: 200,
    errors: {
      400: INVALID_REQUEST,
      402: ['insufficient_balance'],
      404: ['not_found'],
      409: ['request_not_pending', 'price_changed', 'idempotency_conflict'],
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  },
});
