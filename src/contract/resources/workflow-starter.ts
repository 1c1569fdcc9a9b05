import * as z from 'zod/mini';
import { id, jsonObject, modelId, taskId, timestamp, usd } from '../primitives.ts';
import { WorkflowDefinition } from '../workflow-definition.ts';
import { STARTER_SOURCES } from '../workflow-status.ts';

/** Decision: Starters. What is optional is an addition. */
export const WorkflowStarter = z.strictObject({
  object: z.literal('workflow_starter'),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  /** JSON Schema 2020-12; `readWorkflowInput` makes a form of it. */
  input_schema: jsonObject(),
  steps: z.array(
    z.strictObject({
      key: z.string(),
      name: z.string(),
      task: taskId(),
      model: z.nullable(modelId()),
      needs: z.array(z.string()),
      /** It may be left out: it has a condition. */
      is_optional: z.optional(z.boolean()),
      /** It goes through a list, and makes several. */
      is_list: z.optional(z.boolean()),
    }),
  ),
  source: z.optional(z.enum(STARTER_SOURCES)),
  /** Kinds of the files of its last steps. */
  makes: z.optional(z.array(z.enum(['image', 'video', 'audio']))),
  /** What the example, or the least that can be asked for, costs at least. */
  price_from_usd: z.optional(usd()),
  example_input: z.optional(z.nullable(jsonObject())),
  /** All that it needs is switched on here. */
  available: z.optional(z.boolean()),
  /** A sentence, where it is not. */
  unavailable_reason: z.optional(z.nullable(z.string())),
  /** As it is written. Only where one starter is read, not in lists. */
  definition: z.optional(WorkflowDefinition),
  /** null for those that nobody saved here; so are the next two. */
  created_by: z.optional(z.nullable(z.strictObject({ id: id('key'), name: z.string() }))),
  created_at: z.optional(z.nullable(timestamp())),
  updated_at: z.optional(z.nullable(timestamp())),
});
export type WorkflowStarter = z.infer<typeof WorkflowStarter>;

export const WorkflowEstimateRequest = z.strictObject({ input: jsonObject() });

/** The definition is judged apart, so that all that is wrong with it is told at once. */
export const WorkflowValidationRequest = z.strictObject({
  definition: jsonObject(),
  /** What to estimate; the example where it is left out. */
  input: z.optional(z.nullable(jsonObject())),
});
