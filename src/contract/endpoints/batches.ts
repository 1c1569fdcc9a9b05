import * as z from 'zod/mini';
import { MAX_ORDER_BYTES, MAX_ORDER_VALUES } from '../batch-limits.ts';
import { BATCH_MODES, BATCH_ORDER_STATUSES, BATCH_STATUSES } from '../batch-status.ts';
import { GENERATION_REQUEST_CODES, INVALID_REQUEST, SERVICE_UNAVAILABLE, defineEndpoint } from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId, queryCursor, queryInteger, querySchema } from '../primitives.ts';
import {
  Batch,
  BatchCancel,
  BatchCreate,
  BatchEstimate,
  BatchEstimateCreate,
  BatchOrder,
  BatchResume,
} from '../resources/batch.ts';

const common = { tag: 'Batches', addition: true } as const;
const batchPath = { params: z.object({ batch_id: pathId() }) };
const change = {
  status: 200,
  response: Batch,
  errors: { 404: ['not_found'], 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
} as const;

/** Decision: Batches */
export const batchEndpoints = {
  list_batches: defineEndpoint({
    ...ENDPOINT_ROUTES.list_batches,
    ...common,
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
  }),
  create_batch: defineEndpoint({
    ...ENDPOINT_ROUTES.create_batch,
    ...common,
    summary: 'Start several generations: all together or none, or a list one after the other',
    body: BatchCreate,
    max_json_values: MAX_ORDER_VALUES,
    max_json_bytes: MAX_ORDER_BYTES,
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
  }),
  estimate_batch: defineEndpoint({
    ...ENDPOINT_ROUTES.estimate_batch,
    ...common,
    summary: 'Check and price up to 1,000 orders without starting them',
    body: BatchEstimateCreate,
    max_json_values: MAX_ORDER_VALUES,
    max_json_bytes: MAX_ORDER_BYTES,
    status: 200,
    response: BatchEstimate,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  }),
  get_batch: defineEndpoint({
    ...ENDPOINT_ROUTES.get_batch,
    ...batchPath,
    ...common,
    summary: 'Read a batch: how many orders are where, and what they cost',
    status: 200,
    response: Batch,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  }),
  list_batch_orders: defineEndpoint({
    ...ENDPOINT_ROUTES.list_batch_orders,
    ...batchPath,
    ...common,
    summary: 'List the orders of a batch with their generations, in the order of the request',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      status: z.optional(z.enum(BATCH_ORDER_STATUSES)),
    }),
    status: 200,
    response: listSchema(BatchOrder),
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
  }),
  pause_batch: defineEndpoint({
    ...ENDPOINT_ROUTES.pause_batch,
    ...batchPath,
    ...common,
    ...change,
    summary: 'Start no further order of a list; active generations continue',
  }),
  resume_batch: defineEndpoint({
    ...ENDPOINT_ROUTES.resume_batch,
    ...batchPath,
    ...common,
    ...change,
    summary: 'Continue a paused list, optionally with another limit',
    body: BatchResume,
  }),
  cancel_batch: defineEndpoint({
    ...ENDPOINT_ROUTES.cancel_batch,
    ...batchPath,
    ...common,
    ...change,
    summary: 'Cancel the waiting orders, optionally the active generations as well',
    body: BatchCancel,
  }),
  retry_batch: defineEndpoint({
    ...ENDPOINT_ROUTES.retry_batch,
    ...batchPath,
    ...common,
    ...change,
    summary: 'Start the failed orders again',
  }),
  export_batch: defineEndpoint({
    ...ENDPOINT_ROUTES.export_batch,
    ...batchPath,
    ...common,
    summary: 'Export the orders of a batch and their results as CSV',
    status: 200,
    response: 'csv',
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  }),
} as const;
