import * as z from 'zod/mini';
import { line } from '../one-line.ts';
import {
  defineEndpoints,
  GENERATION_REQUEST_CODES,
  INVALID_REQUEST,
  SERVICE_UNAVAILABLE,
} from '#contract/api/endpoint.ts';
import { MODEL_IDS, TASK_IDS } from '../ids.ts';
import { CATALOG_LABEL_LIMITS } from '../limits.ts';
import { PRICE_UNITS } from '#contract/money/pricing.ts';
import {
  addedModelId,
  builtInModelId,
  jsonObject,
  listSchema,
  modelId,
  taskId,
  timestamp,
  usd,
} from '../primitives.ts';
import type { InputContract } from '../task.ts';
import { AddedPrice } from '#contract/added-models/prices/price-schema.ts';
import { isJson } from '../json-value.ts';
import { providerId } from './provider-preset.ts';
import { MODEL_CAPABILITIES } from '../providers.ts';
import { EstimateRequest, EstimateResponse } from './generation.ts';
import { MEDIA_KINDS } from '../task.ts';

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
  media_type: z.enum(MEDIA_KINDS),
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
  /** Only of a model that an administrator added (addition). */
  added: z.optional(
    z.strictObject({
      version: z.int(),
      provider: providerId(),
      description: z.nullable(z.string()),
      sample_asset_id: z.nullable(z.string()),
      /** Form, rules and price, from which the dashboard builds what the fixed models have in its code. */
      contract: z.custom<InputContract>(isJson),
      price: AddedPrice,
      /** The most that one run is charged. */
      bound_usd: usd(),
    }),
  ),
});
export type Model = z.infer<typeof Model>;

/** The tasks of the interface and of added models, and beside them those of this service (addition). */
const TaskList = z.extend(listSchema(Task), { extra: z.array(Task) });

const priceRow = () =>
  z.strictObject({
    task: taskId(),
    model: z.nullable(builtInModelId()),
    unit: z.enum(PRICE_UNITS),
    unit_price_usd: usd(),
    minimum_usd: usd(),
    note: z.nullable(z.string()),
    /** Factors by input field and option; options that are not listed count as 1 (addition). */
    multipliers: z.optional(z.record(z.string(), z.record(z.string(), usd()))),
  });

/** Decision: Price list and estimate */
export const Pricing = z.strictObject({
  object: z.literal('pricing'),
  currency: z.literal('usd'),
  data: z.array(priceRow()),
  /** Of tasks beside the interface (addition). */
  extra: z.array(priceRow()),
  /** Prices of added models; absent without any (addition). */
  added: z.optional(
    z.array(
      z.strictObject({
        task: taskId(),
        model: addedModelId(),
        name: z.string(),
        price: AddedPrice,
        /** The most that one run is charged. */
        bound_usd: usd(),
      }),
    ),
  ),
});
export type Pricing = z.infer<typeof Pricing>;

/** A model or task id. */
const CATALOG_IDS = [...MODEL_IDS, ...TASK_IDS] as const;
export type CatalogId = (typeof CATALOG_IDS)[number];

export const isCatalogId = (id: string): id is CatalogId => CATALOG_IDS.some((known) => known === id);

export const CatalogLabelUpdate = z.strictObject({
  name: line(CATALOG_LABEL_LIMITS.name),
  description: z._default(z.nullable(line(CATALOG_LABEL_LIMITS.description)), null),
});
export type CatalogLabelUpdate = z.infer<typeof CatalogLabelUpdate>;

/** The name of a model or task in this installation. */
export const CatalogLabel = z.strictObject({
  id: z.enum(CATALOG_IDS),
  object: z.literal('catalog_label'),
  ...CatalogDisplay.shape,
  updated_at: timestamp(),
});
export type CatalogLabel = z.infer<typeof CatalogLabel>;

/** Ids of models and tasks contain dots. Checked for form only, so that an unknown one is a 404. */
const catalogPath = { params: z.object({ catalog_id: z.string().check(z.regex(/^[a-z0-9._-]{1,64}$/)) }) };

export const catalogEndpoints = defineEndpoints('Catalog', {
  list_tasks: {
    summary: 'List tasks',
    status: 200,
    response: TaskList,
    errors: { 503: SERVICE_UNAVAILABLE },
  },
  list_models: {
    summary: 'List models',
    status: 200,
    response: listSchema(Model),
    errors: { 503: SERVICE_UNAVAILABLE },
  },
  get_pricing: {
    summary: 'Read published prices',
    status: 200,
    response: Pricing,
    errors: { 503: SERVICE_UNAVAILABLE },
  },
  create_estimate: {
    summary: 'Price a request without running it',
    body: EstimateRequest,
    status: 200,
    response: EstimateResponse,
    errors: { 400: GENERATION_REQUEST_CODES, 422: INVALID_REQUEST, 503: SERVICE_UNAVAILABLE },
  },
  set_catalog_label: {
    ...catalogPath,
    summary: 'Name a model or task in this installation',
    body: CatalogLabelUpdate,
    status: 200,
    response: CatalogLabel,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  delete_catalog_label: {
    ...catalogPath,
    summary: 'Delete the name of a model or task in this installation',
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
});
