import * as z from 'zod/mini';
import { defineEndpoints } from '#contract/api/endpoint.ts';
import { PRICE_UNITS } from '#contract/money/pricing.ts';
import { builtInModelId, listSchema, taskId, usd } from '../primitives.ts';
import { MODEL_CAPABILITIES, PROVIDER_IDS } from '../providers.ts';
import { TextModelSuggestion } from './text-model.ts';

export const providerId = () => z.enum(PROVIDER_IDS);

const ModelDisplay = z.strictObject({
  /** The provider's own name: “GPT Image 2”. */
  name: z.string(),
  maker: z.string(),
  /** What it is good at, in one line. */
  description: z.string(),
  capabilities: z.array(z.enum(MODEL_CAPABILITIES)),
  /** Longest clip, in seconds; null for images. */
  max_seconds: z.nullable(z.number()),
});
export type ModelDisplay = z.infer<typeof ModelDisplay>;

/** A model that a provider can run, with its cost for a request with default inputs beside the price here. */
const PresetModel = z.strictObject({
  task: taskId(),
  model: builtInModelId(),
  /** The provider's id of the model or endpoint; null if the caller names it. */
  provider_model: z.nullable(z.string()),
  display: ModelDisplay,
  price: z.strictObject({
    unit: z.enum(PRICE_UNITS),
    unit_price_usd: usd(),
    read_on: z.string(),
    source: z.string(),
    note: z.nullable(z.string()),
  }),
  /** For a request with default inputs. */
  typical: z.strictObject({ description: z.string(), cost_usd: usd(), price_usd: usd(), margin_usd: usd() }),
  /** Options of the form that this provider does not support, one sentence each. */
  restrictions: z.array(z.string()),
  /** Name of the provider that runs it now, a connection or one of the file; null: none. */
  used_by: z.nullable(z.string()),
  /** Its id. */
  runs_on: z.nullable(z.string()),
});
export type PresetModel = z.infer<typeof PresetModel>;

/** What the dashboard knows about a provider before it is connected. */
export const ProviderPreset = z.strictObject({
  object: z.literal('provider_preset'),
  id: providerId(),
  name: z.string(),
  description: z.string(),
  key: z.enum(['required', 'optional', 'none']),
  key_url: z.nullable(z.string()),
  /** Whether models beside those below can be added. */
  adds_models: z.boolean(),
  terms_url: z.nullable(z.string()),
  /** Usual address; null: the caller enters one. */
  address: z.nullable(z.string()),
  /** Name of the environment variable that holds a key; null if none is set. */
  environment_key: z.nullable(z.string()),
  /** Settings beyond key and model, such as the name of a model or a workflow. */
  model_setting: z.nullable(z.enum(['model', 'workflow'])),
  /** Whether it can draw a visible mark on what it makes. */
  visible_watermark: z.boolean(),
  models: z.array(PresetModel),
  /** null: it has no text models, or none that this service can use. */
  text_model: z.nullable(z.strictObject({ suggestion: z.nullable(TextModelSuggestion) })),
});
export type ProviderPreset = z.infer<typeof ProviderPreset>;

export const providerPresetEndpoints = defineEndpoints('Providers', {
  list_provider_presets: {
    summary: 'List the providers that can be connected, with models and costs',
    status: 200,
    response: listSchema(ProviderPreset),
    errors: {},
  },
});
