import * as z from 'zod/mini';
import { id, modelId, taskId, usd } from '../primitives.ts';
import { WorkflowDefinition } from '../workflow-definition.ts';
import { LineItem } from './generation.ts';

/** As of a generation's estimate: the amount is what it costs, the most it can cost, or the least. */
export const WORKFLOW_ESTIMATE_BASES = ['exact', 'upper_bound', 'lower_bound'] as const;

const estimateBounds = {
  /** `maximum_usd` where there is one, else `minimum_usd`. */
  amount_usd: usd(),
  /** What is certain. */
  minimum_usd: usd(),
  /** null: it can't be said before it runs. */
  maximum_usd: z.nullable(usd()),
  basis: z.enum(WORKFLOW_ESTIMATE_BASES),
};

const estimateStep = z.strictObject({
  key: z.string(),
  name: z.string(),
  task: taskId(),
  model: z.nullable(modelId()),
  ...estimateBounds,
  /** How many generations it makes: 0 where its condition says that it is not wanted. */
  minimum_count: z.int(),
  maximum_count: z.int(),
  /** Of a retry: the step keeps its result and costs nothing. */
  kept: z.optional(z.literal(true)),
  /** Of `amount_usd`; they add up to it. */
  line_items: z.array(LineItem),
  /** Why it is not exact, as a sentence; null where it is. */
  note: z.nullable(z.string()),
});

/** What a run costs, before it starts. */
export const WorkflowEstimate = z.strictObject({
  object: z.literal('workflow_estimate'),
  starter_slug: z.string(),
  currency: z.literal('usd'),
  ...estimateBounds,
  /** In the order of the starter. */
  steps: z.array(estimateStep),
});
export type WorkflowEstimate = z.infer<typeof WorkflowEstimate>;

/** Where something is wrong with a workflow. */
const WorkflowProblem = z.strictObject({
  /** Dotted, below the definition: `steps.2.input.prompt`. */
  path: z.string(),
  /** A sentence. */
  message: z.string(),
  /** Of the step it is about. */
  step_key: z.nullable(z.string()),
});

/** What the service says of a workflow that is being written. */
export const WorkflowValidation = z.strictObject({
  object: z.literal('workflow_validation'),
  valid: z.boolean(),
  problems: z.array(WorkflowProblem),
  /** What each step waits for in all; empty where the definition can't be read. */
  steps: z.array(z.strictObject({ key: z.string(), needs: z.array(z.string()) })),
  /** For the input that was sent, else for the example; null where there is a problem with either. */
  estimate: z.nullable(WorkflowEstimate),
});
export type WorkflowValidation = z.infer<typeof WorkflowValidation>;

/** A workflow that makes again what a generation, and those it was made from, made. */
export const WorkflowDraft = z.strictObject({
  object: z.literal('workflow_draft'),
  definition: WorkflowDefinition,
  /** In the order of its steps. */
  generation_ids: z.array(id('gen')),
});
export type WorkflowDraft = z.infer<typeof WorkflowDraft>;
