import * as z from 'zod/mini';
import { DOWN, INVALID, RETRY_CODES, endpoint } from '../endpoint.ts';
import { listOf, pathId, queryCursor, queryInteger, queryOf } from '../primitives.ts';
import { STARTER_SLUG, WorkflowRun, WorkflowRunCancel } from '../resources/workflow-run.ts';

const workflowRunId = z.object({ workflow_run_id: pathId() });

export const workflowRunEndpoints = {
  list_workflow_runs: endpoint({
    method: 'GET',
    path: '/v1/workflow-runs',
    auth: 'bearer',
    tag: 'Workflow runs',
    summary: 'List workflow runs, newest first',
    query: queryOf({
      limit: queryInteger(50, 1, 200),
      cursor: queryCursor(),
      starter_slug: z.optional(z.string().check(z.maxLength(100), z.regex(STARTER_SLUG))),
      status: z.optional(z.string()),
    }),
    status: 200,
    response: listOf(WorkflowRun),
    errors: { 400: INVALID, 422: INVALID },
  }),
  get_workflow_run: endpoint({
    method: 'GET',
    path: '/v1/workflow-runs/{workflow_run_id}',
    auth: 'bearer',
    tag: 'Workflow runs',
    summary: 'Read a workflow run',
    params: workflowRunId,
    status: 200,
    response: WorkflowRun,
    errors: { 404: ['workflow_run_not_found'], 422: INVALID },
  }),
  cancel_workflow_run: endpoint({
    method: 'POST',
    path: '/v1/workflow-runs/{workflow_run_id}/cancel',
    auth: 'bearer',
    tag: 'Workflow runs',
    summary: 'Cancel a workflow run',
    params: workflowRunId,
    body: WorkflowRunCancel,
    status: 200,
    response: WorkflowRun,
    errors: { 404: ['workflow_run_not_found'], 422: INVALID, 503: DOWN },
  }),
  retry_workflow_run: endpoint({
    method: 'POST',
    path: '/v1/workflow-runs/{workflow_run_id}/retry',
    auth: 'bearer',
    tag: 'Workflow runs',
    summary: 'Run a workflow again from where it failed',
    params: workflowRunId,
    idempotency: 'required',
    status: 201,
    response: WorkflowRun,
    errors: {
      400: ['idempotency_key_required', 'invalid_request'],
      402: ['insufficient_balance'],
      404: ['workflow_run_not_found'],
      409: RETRY_CODES,
      422: INVALID,
      503: DOWN,
    },
  }),
} as const;
