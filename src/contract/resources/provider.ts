import * as z from 'zod/mini';
import { line } from '../one-line.ts';
import { defineEndpoints, INVALID_REQUEST } from '#contract/api/endpoint.ts';
import { builtInModelId, id, listSchema, modelId, pathId, taskId, timestamp, usd } from '../primitives.ts';
import { providerId } from './provider-preset.ts';
import { ProviderTextModel, TextModel } from './text-model.ts';

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
  model: builtInModelId(),
  /** Price here: the provider's price plus this many percent; null: the price stays. */
  markup_percent: z._default(markup(), null),
  /** The model's name at an OpenAI-compatible server. */
  provider_model: z.optional(line(200)),
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

/** With which bills are read and nothing else. It is never part of a response. Decision: Billing keys */
export const BillingKey = z.strictObject({ key: apiKey() });

const ProviderBilling = z.strictObject({
  /** Which key it takes. */
  key_hint: z.string(),
  key_url: z.string(),
  /** null: there is none. */
  key_last_four: z.nullable(z.string()),
  /** When all open bills were last read. */
  read_at: z.nullable(timestamp()),
  /** Why the last read failed; null: it did not. */
  problem: z.nullable(z.string()),
});

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
      model: z.nullable(builtInModelId()),
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
  /** null: its bills can't be read. */
  billing: z.nullable(ProviderBilling),
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

const providerPath = { params: z.object({ provider_id: pathId() }) };

export const providerEndpoints = defineEndpoints('Providers', {
  list_providers: {
    summary: 'List connected providers, in order of preference',
    status: 200,
    response: listSchema(Provider),
    errors: {},
  },
  test_provider_key: {
    summary: 'Test a key with a call that costs nothing',
    body: ProviderTest,
    status: 200,
    response: ProviderTestResult,
    errors: { 422: INVALID_REQUEST },
  },
  connect_provider: {
    summary: 'Connect a provider; its key is stored encrypted and never shown again',
    body: ProviderConnect,
    status: 201,
    response: Provider,
    errors: { 400: INVALID_REQUEST, 422: INVALID_REQUEST },
  },
  get_provider: {
    ...providerPath,
    summary: 'Read a connected provider',
    status: 200,
    response: Provider,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  update_provider: {
    ...providerPath,
    summary: 'Pause or resume a provider, or change its models and prices',
    body: ProviderUpdate,
    status: 200,
    response: Provider,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
  },
  rotate_provider_key: {
    ...providerPath,
    summary: 'Replace the key of a provider; running jobs finish with the previous one',
    body: ProviderKeyRotation,
    status: 200,
    response: Provider,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
  },
  set_billing_key: {
    ...providerPath,
    summary: 'Set or replace the key with which bills are read; it is stored encrypted and used for nothing else',
    body: BillingKey,
    status: 200,
    response: Provider,
    errors: { 400: INVALID_REQUEST, 404: ['not_found'], 422: INVALID_REQUEST },
  },
  remove_billing_key: {
    ...providerPath,
    summary: 'Remove the key with which bills are read; bills stay',
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  test_provider: {
    ...providerPath,
    summary: 'Test a connected provider with a call that costs nothing',
    status: 200,
    response: ProviderTestResult,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  list_provider_jobs: {
    ...providerPath,
    summary: 'List unfinished jobs of this organization at a provider, at most 100, oldest first',
    status: 200,
    response: listSchema(ProviderJob),
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
  disconnect_provider: {
    ...providerPath,
    summary: 'Disconnect a provider; running jobs finish, then its key is deleted',
    status: 204,
    response: null,
    errors: { 404: ['not_found'], 422: INVALID_REQUEST },
  },
});
