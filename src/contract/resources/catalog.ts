import * as z from 'zod/mini';
import { PRICE_UNITS } from '../pricing.ts';
import { MODEL_CAPABILITIES } from '../providers.ts';
import { jsonObject, modelId, taskId, usd } from '../primitives.ts';

const scalar = () => z.union([z.string(), z.number(), z.boolean(), z.null()]);
const ruleBase = {
  when: z.union([
    z.strictObject({ field: z.string(), in: z.readonly(z.array(scalar())) }),
    z.strictObject({ field: z.string(), present: z.literal(true) }),
  ]),
  field: z.string(),
  message: z.string(),
};
const ruleSchema = () =>
  z.union([
    z.strictObject({ ...ruleBase, allow: z.readonly(z.array(scalar())) }),
    z.strictObject({ ...ruleBase, max_items: z.int() }),
  ]);

const engineSchema = () => z.enum(['preview', 'upstream']);

/** How administrators of this installation call a model or task. */
export const CatalogDisplay = z.strictObject({ name: z.string(), description: z.nullable(z.string()) });
export type CatalogDisplay = z.infer<typeof CatalogDisplay>;
const displaySchema = () => z.optional(CatalogDisplay);

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
  /** Name in this installation; the interface's `name` stays (addition). */
  display: displaySchema(),
});
export type Task = z.infer<typeof Task>;

/** The model that a provider runs under a catalog id. */
const ProviderModel = z.strictObject({
  /** The provider’s own name: “GPT Image 2”. */
  name: z.string(),
  maker: z.string(),
  /** Through whom it runs: “fal”. */
  via: z.string(),
  /** What it is good at, in one line. */
  description: z.string(),
  capabilities: z.array(z.enum(MODEL_CAPABILITIES)),
  /** Longest clip, in seconds; null for images. */
  max_seconds: z.nullable(z.number()),
});
export type ProviderModel = z.infer<typeof ProviderModel>;

/** Decision: Tasks and models */
export const Model = z.strictObject({
  id: modelId(),
  object: z.literal('model'),
  name: z.string(),
  available: z.boolean(),
  /** `upstream` if any of the model's tasks runs at a provider. */
  engine: engineSchema(),
  /** The model behind it, as its provider calls it (addition). */
  provider: z.optional(ProviderModel),
  /** Name in this installation; the interface's `name` stays (addition). */
  display: displaySchema(),
  tasks: z.array(
    z.strictObject({
      task: taskId(),
      input_schema: jsonObject(),
      defaults: jsonObject(),
      engine: z.optional(engineSchema()),
      /** Options that the provider does not support, as rules beyond those of the contract (addition). */
      restrictions: z.optional(z.array(ruleSchema())),
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
