import * as z from 'zod/mini';
import { PRICE_UNITS } from '../pricing.ts';
import { jsonObject, modelId, taskId, usd } from '../primitives.ts';

/** Decision: Responses (Tasks) */
export const Task = z.strictObject({
  id: taskId(),
  object: z.literal('task'),
  name: z.string(),
  description: z.string(),
  media_type: z.enum(['image', 'video', 'audio']),
  available: z.boolean(),
  requires_model: z.boolean(),
  models: z.array(modelId()),
  /** JSON Schema 2020-12; only for tasks without models. */
  input_schema: z.optional(jsonObject()),
  output_schema: jsonObject(),
});
export type Task = z.infer<typeof Task>;

/** Decision: Responses (Models) */
export const Model = z.strictObject({
  id: modelId(),
  object: z.literal('model'),
  name: z.string(),
  available: z.boolean(),
  engine: z.enum(['preview', 'upstream']),
  tasks: z.array(z.strictObject({ task: taskId(), input_schema: jsonObject(), defaults: jsonObject() })),
});
export type Model = z.infer<typeof Model>;

/** Decision: Responses (Pricing) */
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
      /** What the unit price is multiplied by, by input field and option; options not named count once (addition). */
      multipliers: z.optional(z.record(z.string(), z.record(z.string(), usd()))),
    }),
  ),
});
export type Pricing = z.infer<typeof Pricing>;
