import * as z from 'zod/mini';
import { id, modelId, taskId, usd } from '../primitives.ts';
import { WorkflowDefinition } from '../workflow-definition.ts';
import { LineItem } from './generation.ts';

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
