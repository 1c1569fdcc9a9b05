import * as z from 'zod/mini';
import { MAX_ORDER_BYTES, MAX_ORDER_VALUES } from '../batch-limits.ts';
import {
  GENERATION_REQUEST_CODES,
  INVALID_REQUEST,
  RETRY_CODES,
  SERVICE_UNAVAILABLE,
  defineEndpoint,
} from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId, queryCursor, queryInteger, querySchema } from '../primitives.ts';
import {
  ApprovalDecision,
  ApprovalRequest,
  ApprovalRequestCreate,
  REQUEST_STATUSES,
  RequestEstimate,
} from '../resources/request.ts';

const requestPath = { params: z.object({ request_id: pathId() }) };
const common = { tag: 'Requests', response: ApprovalRequest, addition: true } as const;

/** Decision: Approvals */
export const requestEndpoints = {
  list_requests: defineEndpoint({
    ...ENDPOINT_ROUTES.list_requests,
    ...common,
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
  }),
  create_request: defineEndpoint({
    ...ENDPOINT_ROUTES.create_request,
    ...common,
    summary: 'Ask for more of a budget, or for an order above the limit',
    body: ApprovalRequestCreate,
    max_json_values: MAX_ORDER_VALUES,
    max_json_bytes: MAX_ORDER_BYTES,
    idempotency: 'optional',
    status: 201,
    errors: {
      400: GENERATION_REQUEST_CODES,
      404: ['not_found', 'generation_not_found', 'workflow_run_not_found'],
      409: RETRY_CODES,
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  }),
  get_request: defineEndpoint({
    ...ENDPOINT_ROUTES.get_request,
    ...requestPath,
    ...common,
    summary: 'Read a request, with the whole input of its order',
    status: 200,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  }),
  estimate_request: defineEndpoint({
    ...ENDPOINT_ROUTES.estimate_request,
    ...requestPath,
    ...common,
    summary: 'Validate and price an order that waits for an approval, as it would be placed now',
    status: 200,
    response: RequestEstimate,
    errors: {
      404: ['not_found'],
      409: ['request_not_pending'],
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  }),
  cancel_request: defineEndpoint({
    ...ENDPOINT_ROUTES.cancel_request,
    ...requestPath,
    ...common,
    summary: 'Cancel one’s own request',
    status: 200,
    errors: { 404: ['not_found'], 409: ['request_not_pending'], 422: INVALID_REQUEST },
  }),
  decide_request: defineEndpoint({
    ...ENDPOINT_ROUTES.decide_request,
    ...requestPath,
    ...common,
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
  }),
} as const;
