import * as z from 'zod/mini';
import {
  defineEndpoints,
  GENERATION_REQUEST_CODES,
  INVALID_REQUEST,
  SERVICE_UNAVAILABLE,
} from '#contract/api/endpoint.ts';
import { id, jsonObject, listSchema, modelId, pathId, taskId, timestamp, usd } from '../primitives.ts';
import { STARTER_SOURCES } from '../statuses.ts';
import { starterSlugSchema, WorkflowDefinition } from '#contract/workflows/workflow-definition.ts';
import { LineItem } from './generation.ts';
import { MEDIA_KINDS } from '../task.ts';

/** The same bases as a generation's estimate: the exact price, the most or the least that it can cost. */
export const WORKFLOW_ESTIMATE_BASES = ['exact', 'upper_bound', 'lower_bound'] as const;

const estimateBounds = {
  /** `maximum_usd` if known, otherwise `minimum_usd`. */
  amount_usd: usd(),
  minimum_usd: usd(),
  /** null: unknown before the run. */
  maximum_usd: z.nullable(usd()),
  basis: z.enum(WORKFLOW_ESTIMATE_BASES),
};

const estimateStep = z.strictObject({
  key: z.string(),
  name: z.string(),
  task: taskId(),
  model: z.nullable(modelId()),
  ...estimateBounds,
  /** Number of generations; 0 if the step's condition is false. */
  minimum_count: z.int(),
  maximum_count: z.int(),
  /** In a retry: the step keeps its result and costs nothing. */
  kept: z.optional(z.literal(true)),
  /** Adds up to `amount_usd`. */
  line_items: z.array(LineItem),
  /** Why the price is not exact, as a sentence; null if it is. */
  note: z.nullable(z.string()),
});

export const WorkflowEstimate = z.strictObject({
  object: z.literal('workflow_estimate'),
  starter_slug: z.string(),
  currency: z.literal('usd'),
  ...estimateBounds,
  /** In the order of the starter. */
  steps: z.array(estimateStep),
});
export type WorkflowEstimate = z.infer<typeof WorkflowEstimate>;

const WorkflowProblem = z.strictObject({
  /** Dotted, below the definition: `steps.2.input.prompt`. */
  path: z.string(),
  message: z.string(),
  step_key: z.nullable(z.string()),
});

export const WorkflowValidation = z.strictObject({
  object: z.literal('workflow_validation'),
  valid: z.boolean(),
  problems: z.array(WorkflowProblem),
  /** All dependencies of each step; empty if the definition cannot be read. */
  steps: z.array(z.strictObject({ key: z.string(), needs: z.array(z.string()) })),
  /** For the submitted input, otherwise for the example; null if either is invalid. */
  estimate: z.nullable(WorkflowEstimate),
});
export type WorkflowValidation = z.infer<typeof WorkflowValidation>;

/** A workflow that reproduces a generation and the generations it depends on. */
export const WorkflowDraft = z.strictObject({
  object: z.literal('workflow_draft'),
  definition: WorkflowDefinition,
  /** In the order of the steps. */
  generation_ids: z.array(id('gen')),
});
export type WorkflowDraft = z.infer<typeof WorkflowDraft>;

/** Decision: Starters. The optional fields are an addition. */
export const WorkflowStarter = z.strictObject({
  object: z.literal('workflow_starter'),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  /** JSON Schema 2020-12; `readWorkflowInput` converts it to a form. */
  input_schema: jsonObject(),
  steps: z.array(
    z.strictObject({
      key: z.string(),
      name: z.string(),
      task: taskId(),
      model: z.nullable(modelId()),
      needs: z.array(z.string()),
      is_optional: z.optional(z.boolean()),
      /** The step runs once per item of a list. */
      is_list: z.optional(z.boolean()),
    }),
  ),
  source: z.optional(z.enum(STARTER_SOURCES)),
  /** Media types of the last steps' outputs. */
  makes: z.optional(z.array(z.enum(MEDIA_KINDS))),
  /** Minimum price of the example, or of the smallest possible input. */
  price_from_usd: z.optional(usd()),
  example_input: z.optional(z.nullable(jsonObject())),
  /** Everything it needs is enabled here. */
  available: z.optional(z.boolean()),
  /** A sentence; null if available. */
  unavailable_reason: z.optional(z.nullable(z.string())),
  /** Only if one starter is read, not in lists. */
  definition: z.optional(WorkflowDefinition),
  /** null for starters that were not saved here; so are the next two. */
  created_by: z.optional(z.nullable(z.strictObject({ id: id('key'), name: z.string() }))),
  created_at: z.optional(z.nullable(timestamp())),
  updated_at: z.optional(z.nullable(timestamp())),
});
export type WorkflowStarter = z.infer<typeof WorkflowStarter>;

const WorkflowEstimateRequest = z.strictObject({ input: jsonObject() });

/** The definition is validated separately, so that all its problems are reported at once. */
const WorkflowValidationRequest = z.strictObject({
  definition: jsonObject(),
  /** Input to estimate; the example by default. */
  input: z.optional(z.nullable(jsonObject())),
});

const slugParams = z.object({ slug: starterSlugSchema() });
const UNKNOWN_STARTER = ['not_found'] as const;

export const workflowStarterEndpoints = defineEndpoints('Workflow starters', {
  list_workflow_starters: {
    summary: 'List workflow starters, by name',
    status: 200,
    response: listSchema(WorkflowStarter),
    errors: { 503: SERVICE_UNAVAILABLE },
  },
  create_workflow_starter: {
    summary: 'Save a workflow as a starter of the organization',
    body: WorkflowDefinition,
    status: 201,
    response: WorkflowStarter,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
  get_workflow_starter: {
    summary: 'Read a workflow starter with its definition',
    params: slugParams,
    status: 200,
    response: WorkflowStarter,
    errors: { 404: UNKNOWN_STARTER, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
  update_workflow_starter: {
    summary: 'Replace a saved starter; existing runs are not affected',
    params: slugParams,
    body: WorkflowDefinition,
    status: 200,
    response: WorkflowStarter,
    errors: { 400: INVALID_REQUEST, 404: UNKNOWN_STARTER, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
  delete_workflow_starter: {
    summary: 'Delete a saved starter; its runs remain',
    params: slugParams,
    status: 204,
    response: null,
    errors: { 404: UNKNOWN_STARTER, 422: INVALID_REQUEST },
  },
  estimate_workflow: {
    summary: 'Estimate a run of a starter',
    params: slugParams,
    body: WorkflowEstimateRequest,
    status: 200,
    response: WorkflowEstimate,
    errors: { 400: GENERATION_REQUEST_CODES, 404: UNKNOWN_STARTER, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
  validate_workflow: {
    summary: 'Validate a workflow draft and estimate its price',
    body: WorkflowValidationRequest,
    status: 200,
    response: WorkflowValidation,
    errors: { 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
  draft_workflow: {
    summary: 'Draft a workflow that reproduces a generation and its sources',
    params: z.object({ generation_id: pathId() }),
    status: 200,
    response: WorkflowDraft,
    errors: { 404: ['generation_not_found'], 422: INVALID_REQUEST },
  },
});
