import * as z from 'zod/mini';
import { PRICE_UNITS } from '../pricing.ts';
import { jsonObject, modelId, taskId, usd } from '../primitives.ts';

const engineSchema = () => z.enum(['preview', 'upstream']);

/** Decision: Tasks and models */
export const Task = z.strictObject({
  id: taskId(),
  object: z.literal('task'),
  name: z.string(),
  description: z.string(),
  media_type: z.enum(['image', 'video', 'audio']),
  available: z.boolean(),
  /** Why the task is unavailable, unless the operator disabled it (addition). */
  unavailable_reason: z.optional(z.string()),
  requires_model: z.boolean(),
  models: z.array(modelId()),
  /** JSON Schema 2020-12; only for tasks without models. */
  input_schema: z.optional(jsonObject()),
  output_schema: jsonObject(),
  /** Only for tasks without models that a provider's model can run (addition). */
  engine: z.optional(engineSchema()),
});
export type Task = z.infer<typeof Task>;

/** Decision: Tasks and models */
export const Model = z.strictObject({
  id: modelId(),
  object: z.literal('model'),
  name: z.string(),
  available: z.boolean(),
  /** `upstream` if any of the model's tasks runs at a provider. */
  engine: engineSchema(),
  tasks: z.array(
    z.strictObject({
      task: taskId(),
      input_schema: jsonObject(),
      defaults: jsonObject(),
      engine: z.optional(engineSchema()),
    }),
  ),
});
export type Model = z.infer<typeof Model>;

/** Decision: Price list and estimate */
export const Pricing = z.strictObject({
  object: z.literal('pricing'),
  currency: z.literal('usd'),
  data: z.array(
    z.strictObject({
      task: taskId(),
      model: z.nullable(modelId()),
      unit: z.enum(PRICE_UNITS),
      unit_price_usd: usd(),
      minimum_usd: usd(),
      note: z.nullable(z.string()),
      /** Factors by input field and option; options that are not listed count as 1 (addition). */
      multipliers: z.optional(z.record(z.string(), z.record(z.string(), usd()))),
    }),
  ),
});
export type Pricing = z.infer<typeof Pricing>;
