import * as z from 'zod/mini';
import { line } from '../one-line.ts';
import {
  defineEndpoints,
  GENERATION_REQUEST_CODES,
  INVALID_REQUEST,
  SERVICE_UNAVAILABLE,
} from '#contract/api/endpoint.ts';
import { ErrorDetail } from '#contract/api/errors.ts';
import {
  MAX_BATCH_NAME_LENGTH,
  MAX_LIST_ORDERS,
  MAX_MEDIA_NAME_LENGTH,
  MAX_ORDER_BYTES,
  MAX_ORDER_VALUES,
  MAX_TOGETHER_ORDERS,
  MIN_TOGETHER_ORDERS,
} from '../limits.ts';
import {
  creatorSchema,
  id,
  jsonObject,
  listSchema,
  pathId,
  queryCursor,
  queryInteger,
  querySchema,
  timestamp,
  usd,
} from '../primitives.ts';
import { BATCH_MODES, BATCH_ORDER_STATUSES, BATCH_STATUSES, PAUSE_REASONS } from '../statuses.ts';
import { dollarsSchema } from './budget.ts';
import { EstimateResponse, Generation, GenerationCreate, metadataSchema } from './generation.ts';

const orderCount = z.int().check(z.gte(0));

/** Several orders of generations under one id. Decision: Batches */
export const Batch = z.strictObject({
  id: id('bat'),
  object: z.literal('batch'),
  name: z.nullable(z.string()),
  mode: z.enum(BATCH_MODES),
  status: z.enum(BATCH_STATUSES),
  /** null unless it is paused. */
  pause_reason: z.nullable(z.enum(PAUSE_REASONS)),
  /** A sentence for people; null unless a limit paused it. */
  pause_message: z.nullable(z.string()),
  /** Orders by status; they add up to `total`. */
  counts: z.strictObject({
    total: orderCount,
    waiting: orderCount,
    active: orderCount,
    succeeded: orderCount,
    failed: orderCount,
    canceled: orderCount,
    manual_review: orderCount,
  }),
  /** Price of all valid orders when the batch was created. */
  estimated_usd: usd(),
  /** What was charged, less refunds. */
  spent_usd: usd(),
  reserved_usd: usd(),
  /** No order starts that would take spent and reserved funds above this; null: no limit. */
  stop_at_usd: z.nullable(usd()),
  /** Copied to every generation, whose own values win. */
  metadata: z.nullable(z.record(z.string(), z.string())),
  created_by: creatorSchema(),
  created_at: timestamp(),
  updated_at: timestamp(),
  completed_at: z.nullable(timestamp()),
  /** Only in the response to create, with the mode `together`: in the order of the request. */
  generations: z.optional(z.array(Generation)),
});
export type Batch = z.infer<typeof Batch>;

const stopAt = () => z.optional(z.nullable(dollarsSchema('Enter an amount in dollars such as 5.')));

export const BatchOrderCreate = z.extend(GenerationCreate, {
  /** Names the files of its result; without it, its prompt does. */
  name: z.optional(z.nullable(line(MAX_MEDIA_NAME_LENGTH))),
});
export type BatchOrderCreate = z.infer<typeof BatchOrderCreate>;

const ordersSchema = () =>
  z
    .array(BatchOrderCreate)
    .check(
      z.minLength(1, 'Add at least one order.'),
      z.maxLength(MAX_LIST_ORDERS, `A list has at most ${MAX_LIST_ORDERS} orders.`),
    );

export const BatchCreate = z
  .strictObject({
    name: z.optional(z.nullable(line(MAX_BATCH_NAME_LENGTH))),
    mode: z.enum(BATCH_MODES),
    orders: ordersSchema(),
    stop_at_usd: stopAt(),
    metadata: z.optional(z.nullable(metadataSchema())),
  })
  .check(
    z.refine(
      ({ mode, orders }) =>
        mode === 'list' || (orders.length >= MIN_TOGETHER_ORDERS && orders.length <= MAX_TOGETHER_ORDERS),
      {
        path: ['orders'],
        message: `Together, send ${MIN_TOGETHER_ORDERS} to ${MAX_TOGETHER_ORDERS} orders. Use the mode list for more.`,
      },
    ),
    z.refine(({ mode, stop_at_usd }) => mode === 'list' || stop_at_usd == null, {
      path: ['stop_at_usd'],
      message: 'Only a list stops at an amount.',
    }),
  );
export type BatchCreate = z.infer<typeof BatchCreate>;

export const BatchEstimateCreate = z.strictObject({
  orders: ordersSchema(),
  /** As in create. */
  metadata: z.optional(z.nullable(metadataSchema())),
});
export type BatchEstimateCreate = z.infer<typeof BatchEstimateCreate>;

/** Why an order can't start. */
const OrderError = z.strictObject({
  code: z.string(),
  message: z.string(),
  /** Paths as in the order: `input.prompt`. */
  details: z.optional(z.array(ErrorDetail)),
});
export type OrderError = z.infer<typeof OrderError>;

export const BatchEstimate = z.strictObject({
  object: z.literal('batch_estimate'),
  currency: z.literal('usd'),
  /** In the order of the request; `amount_usd` and `basis` are null where `error` is set. */
  orders: z.array(
    z.strictObject({
      amount_usd: z.nullable(usd()),
      basis: z.nullable(EstimateResponse.shape.basis),
      error: z.nullable(OrderError),
    }),
  ),
  /** Of all valid orders. */
  amount_usd: usd(),
  valid_count: orderCount,
  invalid_count: orderCount,
});
export type BatchEstimate = z.infer<typeof BatchEstimate>;

export const BatchOrder = z.strictObject({
  object: z.literal('batch_order'),
  /** Position in the request, from 0. */
  index: z.int(),
  status: z.enum(BATCH_ORDER_STATUSES),
  /** As it was sent. */
  order: z.strictObject({
    task: z.string(),
    model: z.nullable(z.string()),
    input: jsonObject(),
    metadata: z.nullable(z.record(z.string(), z.string())),
    name: z.nullable(z.string()),
  }),
  /** Only with a long `input`: texts are cut, long lists and objects left out. */
  input_truncated: z.optional(z.literal(true)),
  /** Price when the batch was created; null: it was not valid then. */
  estimated_usd: z.nullable(usd()),
  /** The latest attempt; null before the first. */
  generation: z.nullable(Generation),
  /** Why it could not be started. */
  error: z.nullable(OrderError),
});
export type BatchOrder = z.infer<typeof BatchOrder>;

export const BatchResume = z.strictObject({
  /** Replaces the limit; null removes it. */
  stop_at_usd: stopAt(),
});
export type BatchResume = z.infer<typeof BatchResume>;

export const BatchCancel = z.strictObject({
  /** Also cancels generations that are queued or running. */
  cancel_running: z._default(z.boolean(), false),
});
export type BatchCancel = z.infer<typeof BatchCancel>;

const batchPath = { params: z.object({ batch_id: pathId() }) };
const change = {
  status: 200,
  response: Batch,
  errors: { 404: ['not_found'], 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
} as const;

/** Decision: Batches */
export const batchEndpoints = defineEndpoints('Batches', {
  list_batches: {
    summary: 'List batches, newest first',
    query: querySchema({
      limit: queryInteger(20, 1, 100),
      cursor: queryCursor(),
      /** Work of this person and their keys only. */
      person_id: z.optional(pathId()),
      mode: z.optional(z.enum(BATCH_MODES)),
      status: z.optional(z.enum(BATCH_STATUSES)),
    }),
    status: 200,
    response: listSchema(Batch),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  create_batch: {
    summary: 'Start several generations: all together or none, or a list one after the other',
    body: BatchCreate,
    maxJsonValues: MAX_ORDER_VALUES,
    maxJsonBytes: MAX_ORDER_BYTES,
    idempotency: 'optional',
    status: 201,
    response: Batch,
    errors: {
      400: GENERATION_REQUEST_CODES,
      402: ['insufficient_balance'],
      409: ['idempotency_conflict'],
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  },
  estimate_batch: {
    summary: 'Check and price up to 1,000 orders without starting them',
    body: BatchEstimateCreate,
    maxJsonValues: MAX_ORDER_VALUES,
    maxJsonBytes: MAX_ORDER_BYTES,
    status: 200,
    response: BatchEstimate,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
  get_batch: {
    ...batchPath,
    summary: 'Read a batch: how many orders are where, and what they cost',
    status: 200,
    response: Batch,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  list_batch_orders: {
    ...batchPath,
    summary: 'List the orders of a batch with their generations, in the order of the request',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      status: z.optional(z.enum(BATCH_ORDER_STATUSES)),
    }),
    status: 200,
    response: listSchema(BatchOrder),
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
  },
  pause_batch: {
    ...batchPath,
    ...change,
    summary: 'Start no further order of a list; active generations continue',
  },
  resume_batch: {
    ...batchPath,
    ...change,
    summary: 'Continue a paused list, optionally with another limit',
    body: BatchResume,
  },
  cancel_batch: {
    ...batchPath,
    ...change,
    summary: 'Cancel the waiting orders, optionally the active generations as well',
    body: BatchCancel,
  },
  retry_batch: {
    ...batchPath,
    ...change,
    summary: 'Start the failed orders again',
  },
  export_batch: {
    ...batchPath,
    summary: 'Export the orders of a batch and their results as CSV',
    status: 200,
    response: 'csv',
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
});
