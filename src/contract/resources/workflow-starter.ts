import * as z from 'zod/mini';
import { id, jsonObject, modelId, taskId, timestamp, usd } from '../primitives.ts';
import { WorkflowDefinition } from '../workflow-definition.ts';
import { STARTER_SOURCES } from '../workflow-status.ts';

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
  makes: z.optional(z.array(z.enum(['image', 'video', 'audio']))),
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

export const WorkflowEstimateRequest = z.strictObject({ input: jsonObject() });

/** The definition is validated separately, so that all its problems are reported at once. */
export const WorkflowValidationRequest = z.strictObject({
  definition: jsonObject(),
  /** Input to estimate; the example by default. */
  input: z.optional(z.nullable(jsonObject())),
});
