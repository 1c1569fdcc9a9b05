import * as z from 'zod/mini';
import {
  SERVICE_UNAVAILABLE,
  INVALID_REQUEST,
  GENERATION_REQUEST_CODES,
  RETRY_CODES,
  defineEndpoint,
} from '../endpoint.ts';
import { ENDPOINT_ROUTES } from '../endpoint-routes.ts';
import { listSchema, pathId, queryCursor, queryDateTime, queryInteger, querySchema } from '../primitives.ts';
import { WorkflowEstimate } from '../resources/workflow-estimate.ts';
import {
  WorkflowRun,
  WorkflowRunCancel,
  WorkflowRunCreate,
  WorkflowRunRetry,
  WorkflowRunRetryEstimate,
} from '../resources/workflow-run.ts';
import { starterSlugSchema } from '../workflow-definition.ts';

const common = { tag: 'Workflow runs' } as const;
const workflowRunParams = z.object({ workflow_run_id: pathId() });

export const workflowRunEndpoints = {
  list_workflow_runs: defineEndpoint({
    ...ENDPOINT_ROUTES.list_workflow_runs,
    ...common,
    summary: 'List workflow runs, newest first',
    query: querySchema({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      /** Work of this person and their keys only. An addition. */
      person_id: z.optional(pathId()),
      starter_slug: z.optional(starterSlugSchema()),
      status: z.optional(z.string()),
      created_after: queryDateTime(),
      created_before: queryDateTime(),
      q: z.optional(z.string().check(z.maxLength(500))),
    }),
    status: 200,
    response: listSchema(WorkflowRun),
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  }),
  create_workflow_run: defineEndpoint({
    ...ENDPOINT_ROUTES.create_workflow_run,
    ...common,
    summary: 'Run a workflow',
    body: WorkflowRunCreate,
    idempotency: 'optional',
    status: 201,
    response: WorkflowRun,
    errors: {
      400: GENERATION_REQUEST_CODES,
      402: ['insufficient_balance'],
      409: ['idempotency_conflict'],
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
    addition: true,
  }),
  get_workflow_run: defineEndpoint({
    ...ENDPOINT_ROUTES.get_workflow_run,
    ...common,
    summary: 'Read a workflow run',
    params: workflowRunParams,
    status: 200,
    response: WorkflowRun,
    errors: { 404: ['workflow_run_not_found'], 422: INVALID_REQUEST },
  }),
  cancel_workflow_run: defineEndpoint({
    ...ENDPOINT_ROUTES.cancel_workflow_run,
    ...common,
    summary: 'Cancel a workflow run and its active steps',
    params: workflowRunParams,
    body: WorkflowRunCancel,
    status: 200,
    response: WorkflowRun,
    errors: { 404: ['workflow_run_not_found'], 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  }),
  retry_workflow_run: defineEndpoint({
    ...ENDPOINT_ROUTES.retry_workflow_run,
    ...common,
    summary: 'Retry a workflow run from its failed steps, optionally with changed inputs',
    params: workflowRunParams,
    body: WorkflowRunRetry,
    idempotency: 'required',
    status: 201,
    response: WorkflowRun,
    errors: {
      400: ['idempotency_key_required', 'invalid_request'],
      402: ['insufficient_balance'],
      404: ['workflow_run_not_found'],
      409: RETRY_CODES,
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
  }),
  estimate_workflow_run_retry: defineEndpoint({
    ...ENDPOINT_ROUTES.estimate_workflow_run_retry,
    ...common,
    summary: 'Estimate a retry: the price of each step that runs again and the steps that keep their results',
    params: workflowRunParams,
    body: WorkflowRunRetryEstimate,
    status: 200,
    response: WorkflowEstimate,
    errors: {
      404: ['workflow_run_not_found'],
      409: ['active_retry_exists', 'retry_not_allowed', 'retry_not_latest'],
      422: INVALID_REQUEST,
      503: SERVICE_UNAVAILABLE,
    },
    addition: true,
  }),
} as const;
