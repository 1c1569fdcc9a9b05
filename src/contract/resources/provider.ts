import * as z from 'zod/mini';
import { PRICE_UNITS } from '../pricing.ts';
import { MODEL_CAPABILITIES, PROVIDER_IDS } from '../providers.ts';
import { id, modelId, taskId, timestamp, usd } from '../primitives.ts';
import { ProviderTextModel, TextModel, TextModelSuggestion } from './text-model.ts';

const providerId = () => z.enum(PROVIDER_IDS);

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
  model: modelId(),
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

const apiKey = () =>
  z.string().check(z.trim(), z.minLength(4), z.maxLength(4096), z.regex(/^[\x21-\x7e]+$/, 'A key has no spaces.'));
const address = () =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(500),
      z.regex(/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/, 'Enter an address such as https://api.example.com/v1.'),
    );
const markup = () => z.nullable(z.int().check(z.gte(0), z.lte(1000)));

const ModelChoice = z.strictObject({
  task: taskId(),
  model: modelId(),
  /** Price here: the provider's price plus this many percent; null: the price stays. */
  markup_percent: z._default(markup(), null),
  /** The model's name at an OpenAI-compatible server. */
  provider_model: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(200))),
  /** A ComfyUI workflow in API format, as JSON text. Left out in an update: the stored one stays. */
  workflow: z.optional(z.string().check(z.maxLength(200_000))),
});
export type ModelChoice = z.infer<typeof ModelChoice>;
/** Empty only for a provider that has a text model. */
const modelChoices = () => z.array(ModelChoice).check(z.maxLength(100));
/** Left out in an update: it stays; null: none. */
const textModel = () => z.optional(z.nullable(TextModel));

/** `key` or `use_environment`; neither for a provider without keys. */
const credential = {
  provider: providerId(),
  key: z.optional(apiKey()),
  use_environment: z.optional(z.boolean()),
  address: z.optional(address()),
};
export const ProviderTest = z.strictObject(credential);
export type ProviderTest = z.infer<typeof ProviderTest>;

/** What the provider responded to a free call. */
export const ProviderTestResult = z.strictObject({
  object: z.literal('provider_test'),
  ok: z.boolean(),
  /** One sentence; the provider's own where it gave one. */
  message: z.string(),
});
export type ProviderTestResult = z.infer<typeof ProviderTestResult>;

/** Whether the provider draws its visible mark on what it makes: off unless set. Only for a provider that has one. */
const visibleWatermark = () => z.optional(z.boolean());

export const ProviderConnect = z.strictObject({
  ...credential,
  models: modelChoices(),
  text_model: textModel(),
  visible_watermark: visibleWatermark(),
});
export type ProviderConnect = z.infer<typeof ProviderConnect>;

const PROVIDER_STATES = ['active', 'paused'] as const;

export const ProviderUpdate = z.strictObject({
  state: z.optional(z.enum(PROVIDER_STATES)),
  models: z.optional(modelChoices()),
  text_model: textModel(),
  visible_watermark: visibleWatermark(),
  /** Puts it before all other connections: it runs the models that several offer. */
  prefer: z.optional(z.literal(true)),
});
export type ProviderUpdate = z.infer<typeof ProviderUpdate>;

export const ProviderKeyRotation = z.strictObject({ key: apiKey() });

const ProviderHealth = z.strictObject({
  /** Of the last 24 hours. */
  succeeded: z.int(),
  failed: z.int(),
  /** From submit to result; null without results. */
  median_seconds: z.nullable(z.number()),
  spent_usd: usd(),
  last_problem: z.nullable(z.strictObject({ message: z.string(), at: timestamp() })),
});
export type ProviderHealth = z.infer<typeof ProviderHealth>;

/** A connected provider. Its key is never part of a response. */
export const Provider = z.strictObject({
  id: z.string(),
  object: z.literal('provider'),
  /** null: an engine of `engines.json`, which only the operator changes. */
  provider: z.nullable(providerId()),
  name: z.string(),
  address: z.string(),
  source: z.enum(['dashboard', 'file']),
  state: z.enum(PROVIDER_STATES),
  /** Why the service paused it by itself. */
  paused_reason: z.nullable(z.string()),
  key_last_four: z.nullable(z.string()),
  models: z.array(
    z.strictObject({
      task: taskId(),
      model: z.nullable(modelId()),
      provider_model: z.nullable(z.string()),
      markup_percent: markup(),
      /** A connection before this one runs it; this one is the fallback. */
      is_fallback: z.boolean(),
      /** Id of the provider that gets new jobs of this model; null: none. */
      runs_on: z.nullable(z.string()),
      price_usd: z.nullable(usd()),
      cost_usd: z.nullable(usd()),
    }),
  ),
  /** null: the provider has none. */
  visible_watermark: z.nullable(z.boolean()),
  text_model: z.nullable(ProviderTextModel),
  running_jobs: z.int(),
  health: z.nullable(ProviderHealth),
  created_at: z.nullable(timestamp()),
  updated_at: z.nullable(timestamp()),
});
export type Provider = z.infer<typeof Provider>;

/** A job that a provider has not finished. */
export const ProviderJob = z.strictObject({
  object: z.literal('provider_job'),
  generation_id: id('gen'),
  task: taskId(),
  model: z.nullable(modelId()),
  submitted_at: timestamp(),
});
export type ProviderJob = z.infer<typeof ProviderJob>;
