import * as z from 'zod/mini';
import {
  defineEndpoints,
  GENERATION_REQUEST_CODES,
  INVALID_REQUEST,
  RETRY_CODES,
  SERVICE_UNAVAILABLE,
} from '#contract/api/endpoint.ts';
import {
  creatorSchema,
  id,
  jsonObject,
  listSchema,
  modelId,
  pathId,
  queryCursor,
  queryDateTime,
  queryInteger,
  querySchema,
  taskId,
  timestamp,
  usd,
} from '../primitives.ts';
import { GENERATION_STATUSES, STEP_STATUSES } from '../statuses.ts';
import { starterSlugSchema } from '#contract/workflows/workflow-definition.ts';
import { Asset, LineItem, metadataSchema } from './generation.ts';
import { WORKFLOW_ESTIMATE_BASES, WorkflowEstimate } from './workflow-starter.ts';

const errorSchema = () => z.nullable(z.strictObject({ code: z.string(), message: z.string(), retryable: z.boolean() }));

/** A step's result for one item of its list, with the same fields as the step. */
const stepItemSchema = z.strictObject({
  index: z.int(),
  /** Short text that identifies the item, if it has any. */
  label: z.nullable(z.string()),
  status: z.enum(STEP_STATUSES),
  generation_id: z.nullable(id('gen')),
  progress: z.nullable(z.number()),
  amount_usd: usd(),
  error: errorSchema(),
  kept: z.boolean(),
  started_at: z.nullable(timestamp()),
  completed_at: z.nullable(timestamp()),
  assets: z.optional(z.array(Asset)),
});

/** The optional fields are an addition. */
const stepSchema = z.strictObject({
  key: z.string(),
  name: z.string(),
  task: taskId(),
  model: z.nullable(modelId()),
  status: z.enum(STEP_STATUSES),
  /** null before the generation exists, and for a step with `items`. */
  generation_id: z.nullable(id('gen')),
  needs: z.optional(z.array(z.string())),
  /** 0 to 1; null while unknown. */
  progress: z.optional(z.nullable(z.number())),
  /** Cost of the step in this run: reserved, then charged. A result kept from an earlier run costs nothing. */
  amount_usd: z.optional(usd()),
  error: z.optional(errorSchema()),
  /** The whole result was kept from the run that this one retries. */
  kept: z.optional(z.boolean()),
  started_at: z.optional(z.nullable(timestamp())),
  completed_at: z.optional(z.nullable(timestamp())),
  /** null for a step with one generation; empty until its list is known. */
  items: z.optional(z.nullable(z.array(stepItemSchema))),
  /** Only if one run is read, not in lists. */
  assets: z.optional(z.array(Asset)),
});
export type WorkflowRunStep = z.infer<typeof stepSchema>;

/** Decision: Workflow runs. The optional fields are an addition. */
export const WorkflowRun = z.strictObject({
  id: id('run'),
  object: z.literal('workflow_run'),
  starter_slug: z.string(),
  /** Name at the start of the run. */
  starter_name: z.optional(z.string()),
  status: z.enum(GENERATION_STATUSES),
  input: jsonObject(),
  /** Only in lists with a long `input` or `output`: texts are cut, long lists and objects left out. */
  input_truncated: z.optional(z.literal(true)),
  /** Only in lists: inputs that differ from the run of this starter before it; absent for the first one. */
  changed_inputs: z.optional(z.array(z.string())),
  /** Only in lists: a picture or video of the last step that has one. */
  preview: z.optional(z.nullable(Asset)),
  output_truncated: z.optional(z.literal(true)),
  /** In the order of the starter. */
  steps: z.array(stepSchema),
  /** As the starter defines it; null until the run has succeeded. */
  output: z.nullable(jsonObject()),
  /** Sum of the run's ledger entries. */
  usage: z.strictObject({ amount_usd: usd(), line_items: z.array(LineItem) }),
  /** Estimate at the start; null for a run without one. */
  estimate: z.optional(
    z.nullable(
      z.strictObject({
        amount_usd: usd(),
        minimum_usd: usd(),
        maximum_usd: z.nullable(usd()),
        basis: z.enum(WORKFLOW_ESTIMATE_BASES),
      }),
    ),
  ),
  /** 0 to 1, by steps. */
  progress: z.optional(z.nullable(z.number())),
  error: errorSchema(),
  retry_of: z.nullable(id('run')),
  retried_by: z.optional(z.nullable(id('run'))),
  metadata: z.optional(z.nullable(z.record(z.string(), z.string()))),
  cancel_reason: z.optional(z.nullable(z.string())),
  canceled_by: z.optional(z.nullable(creatorSchema())),
  created_by: z.optional(creatorSchema()),
  created_at: timestamp(),
  started_at: z.nullable(timestamp()),
  updated_at: z.optional(timestamp()),
  completed_at: z.nullable(timestamp()),
});
export type WorkflowRun = z.infer<typeof WorkflowRun>;

const WorkflowRunCancel = z.strictObject({
  reason: z.optional(z.nullable(z.string().check(z.maxLength(500)))),
});

/** Inputs that change; the others keep their values. An addition. */
const changedInputs = z.strictObject({ inputs: z.optional(jsonObject()) });
const WorkflowRunRetry = z.optional(changedInputs);
const WorkflowRunRetryEstimate = changedInputs;

/** Decision: Workflow runs */
export const WorkflowRunCreate = z.strictObject({
  starter_slug: starterSlugSchema(),
  input: jsonObject(),
  /** Copied to the generations of its steps. An addition. */
  metadata: z.optional(z.nullable(metadataSchema())),
});

const workflowRunParams = z.object({ workflow_run_id: pathId() });

export const workflowRunEndpoints = defineEndpoints('Workflow runs', {
  list_workflow_runs: {
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
  },
  create_workflow_run: {
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
  },
  get_workflow_run: {
    summary: 'Read a workflow run',
    params: workflowRunParams,
    status: 200,
    response: WorkflowRun,
    errors: { 404: ['workflow_run_not_found'], 422: INVALID_REQUEST },
  },
  cancel_workflow_run: {
    summary: 'Cancel a workflow run and its active steps',
    params: workflowRunParams,
    body: WorkflowRunCancel,
    status: 200,
    response: WorkflowRun,
    errors: { 404: ['workflow_run_not_found'], 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
  retry_workflow_run: {
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
  },
  estimate_workflow_run_retry: {
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
  },
});
