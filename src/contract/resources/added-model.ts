import * as z from 'zod/mini';
import { line } from '../one-line.ts';
import type { ComfyCandidate } from '../added-models/comfyui-candidates.ts';
import { MEDIA_OVERRIDES } from '#contract/added-models/fields/field-reading.ts';
import type { NormalizedModel } from '#contract/added-models/fields/normalize-schema.ts';
import { AddedPrice } from '#contract/added-models/prices/price-schema.ts';
import { isJson } from '../json-value.ts';
import { ROLES } from '../permissions.ts';
import { addedModelId, id, pathId, taskId, timestamp, usd } from '../primitives.ts';
import type { InputContract } from '../task.ts';
import { Generation } from './generation.ts';
import { providerId } from './provider-preset.ts';

const MAX_MARKUP_PERCENT = 1_000;
const MAX_WORKFLOW_CHARACTERS = 200_000;
const MAX_FIELDS = 120;

/** As the provider's schema has it. */
const fieldName = () => z.string().check(z.minLength(1), z.maxLength(64));

/** Which model, at which provider. */
const source = {
  /** A connected provider. */
  provider_id: pathId(),
  /** A name at the provider, or the address of the model's page. */
  address: line(500),
  /** Of ComfyUI: the workflow in API format, as JSON text. */
  workflow: z.optional(z.string().check(z.maxLength(MAX_WORKFLOW_CHARACTERS))),
  /** Of ComfyUI: inputs that become fields; absent: those that usually change. */
  inputs: z.optional(
    z
      .array(
        z.strictObject({
          node: fieldName(),
          input: fieldName(),
          name: z.optional(line(64)),
          label: z.optional(line(60)),
        }),
      )
      .check(z.minLength(1), z.maxLength(MAX_FIELDS)),
  ),
  /** Of a model of an OpenAI-compatible server. */
  kind: z.optional(z.enum(['image', 'video', 'speech'])),
  /** What text fields take instead of what their names say; names inside of groups and rows are dotted. */
  overrides: z._default(
    z
      .record(z.string().check(z.minLength(1), z.maxLength(130)), z.enum(MEDIA_OVERRIDES))
      .check(z.refine((fields) => Object.keys(fields).length <= MAX_FIELDS, `Name at most ${MAX_FIELDS} fields.`)),
    {},
  ),
};
export const ModelSource = z.strictObject(source);
export type ModelSource = z.infer<typeof ModelSource>;

/** Validated where it was made: by the service. */
const contractSchema = () => z.custom<InputContract>(isJson);
const advancedSchema = () =>
  z.nullable(
    z.strictObject({ field: z.string(), names: z.array(z.string()), reasons: z.record(z.string(), z.string()) }),
  );

const form = {
  /** Fields and rules, as those of built-in models. */
  contract: contractSchema(),
  /** Inputs that only the JSON field takes, and why. */
  advanced: advancedSchema(),
  /** What a schema takes and its field does not, by field. */
  notes: z.record(z.string(), z.string()),
  /** What the fields take that hold files. */
  media: z.record(z.string(), z.enum(['image', 'video', 'audio', 'file'])),
  output: z.custom<NormalizedModel['output']>(isJson),
  /** Of the provider's schema. */
  hash: z.string(),
};

/** How a model would look here. Nothing is stored. */
export const ModelInspection = z.strictObject({
  object: z.literal('model_inspection'),
  provider: providerId(),
  provider_model: z.string(),
  provider_version: z.nullable(z.string()),
  name: z.string(),
  description: z.nullable(z.string()),
  category: z.nullable(z.string()),
  page_url: z.nullable(z.string()),
  is_deprecated: z.boolean(),
  ...form,
  /** Inputs of a workflow that can become fields. */
  candidates: z.optional(z.array(z.custom<ComfyCandidate>(isJson))),
  /** Those that are fields. */
  inputs: source.inputs,
  /** What the provider publishes; null: nothing. */
  published_price: z.nullable(z.strictObject({ unit_price: z.number(), unit: z.string() })),
  price_text: z.nullable(z.string()),
  suggested: z.strictObject({
    task: taskId(),
    price: z.nullable(AddedPrice),
    /** Why there is none although the provider publishes one, or what to look at in it. */
    price_problem: z.optional(z.string()),
  }),
});
export type ModelInspection = z.infer<typeof ModelInspection>;

/** Who may use it. */
export const ModelAudience = z.strictObject({
  /** null: every role. */
  roles: z.nullable(z.array(z.enum(ROLES)).check(z.minLength(1), z.maxLength(ROLES.length))),
  /** Values of tags that an order must have; null: any. */
  tags: z.nullable(
    z
      .record(z.string().check(z.minLength(1), z.maxLength(40)), z.string().check(z.minLength(1), z.maxLength(500)))
      .check(z.refine((tags) => Object.keys(tags).length <= 10, 'Name at most 10 tags.')),
  ),
});
export type ModelAudience = z.infer<typeof ModelAudience>;

const modelName = () => line(60);
const description = () => z.nullable(line(160));
const markup = () => z.int().check(z.gte(0), z.lte(MAX_MARKUP_PERCENT));

const confirmed = {
  task: taskId(),
  /** The provider's. */
  price: AddedPrice,
  markup_percent: z._default(markup(), 0),
};

export const AddedModelCreate = z.strictObject({
  ...source,
  /** Of the inspected schema: another one is refused. */
  hash: z.string().check(z.maxLength(100)),
  name: modelName(),
  description: z._default(description(), null),
  ...confirmed,
});
export type AddedModelCreate = z.infer<typeof AddedModelCreate>;

/** Absent fields stay. */
export const AddedModelChange = z.strictObject({
  name: z.optional(modelName()),
  description: z.optional(description()),
  state: z.optional(z.enum(['published', 'paused'])),
  audience: z.optional(ModelAudience),
  /** Another connection of the same provider, such as after that of the model was disconnected. */
  provider_id: z.optional(pathId()),
  /** The result that its card shows; null: none. */
  sample_asset_id: z.optional(z.nullable(pathId())),
  price: z.optional(AddedPrice),
  markup_percent: z.optional(markup()),
});
export type AddedModelChange = z.infer<typeof AddedModelChange>;

/** Replaces the frozen schema by the provider's current one. */
export const AddedModelUpgrade = z.strictObject({
  /** Of the comparison that was seen. */
  hash: z.string().check(z.maxLength(100)),
  ...confirmed,
});
export type AddedModelUpgrade = z.infer<typeof AddedModelUpgrade>;

const ADDED_MODEL_STATES = ['draft', 'published', 'paused', 'removed'] as const;
export type AddedModelState = (typeof ADDED_MODEL_STATES)[number];

const changeSchema = () =>
  z.strictObject({
    /** One sentence. */
    text: z.string(),
    /** Whether inputs that were valid are not any more. */
    breaks: z.boolean(),
  });

const summary = {
  id: addedModelId(),
  object: z.literal('added_model'),
  name: z.string(),
  description: z.nullable(z.string()),
  task: taskId(),
  provider: providerId(),
  provider_id: z.string(),
  provider_model: z.string(),
  provider_version: z.nullable(z.string()),
  page_url: z.nullable(z.string()),
  state: z.enum(ADDED_MODEL_STATES),
  /** Why the service paused it by itself. */
  paused_reason: z.nullable(z.string()),
  audience: ModelAudience,
  version: z.int(),
  sample_asset_id: z.nullable(z.string()),
  markup_percent: z.int(),
  /** The most that one run is charged. */
  bound_usd: usd(),
  /** What the daily check found since this version was frozen; null: nothing. */
  drift: z.nullable(z.strictObject({ found_at: timestamp(), changes: z.array(changeSchema()) })),
  created_at: timestamp(),
  updated_at: timestamp(),
};
export const AddedModelSummary = z.strictObject(summary);
export type AddedModelSummary = z.infer<typeof AddedModelSummary>;

export const AddedModel = z.strictObject({
  ...summary,
  ...form,
  /** The provider's. */
  price: AddedPrice,
  price_text: z.nullable(z.string()),
  versions: z.array(z.strictObject({ version: z.int(), hash: z.string(), created_at: timestamp() })),
  /** Paid tests, newest first. */
  tests: z.array(
    z.strictObject({
      generation_id: id('gen'),
      status: Generation.shape.status,
      estimate_usd: usd(),
      charge_usd: usd(),
      /** What the provider charged; null: it does not say. */
      cost_usd: z.nullable(usd()),
      seconds: z.nullable(z.number()),
    }),
  ),
});
export type AddedModel = z.infer<typeof AddedModel>;

/** What an update would change. */
export const ModelComparison = z.strictObject({
  object: z.literal('model_comparison'),
  changes: z.array(changeSchema()),
  /** The provider's current model. */
  current: ModelInspection,
});
export type ModelComparison = z.infer<typeof ModelComparison>;

export const ModelListing = z.strictObject({
  object: z.literal('model_listing'),
  provider_model: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  category: z.nullable(z.string()),
});
export type ModelListing = z.infer<typeof ModelListing>;

/** A provider whose models can be added. */
export const ModelProvider = z.strictObject({
  object: z.literal('model_provider'),
  /** Of the connection. */
  id: z.string(),
  provider: providerId(),
  name: z.string(),
  address_hint: z.string(),
  has_search: z.boolean(),
});
export type ModelProvider = z.infer<typeof ModelProvider>;
