import * as z from 'zod/mini';
import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import { normalizeFal } from '#contract/added-models/provider-schemas.ts';
import { toPriceUnits } from '#contract/added-models/prices/suggest-price.ts';
import { jsonAt } from '#contract/json-value.ts';
import { EngineError } from '#server/models/engine/engine.ts';
import { ModelNotFoundError } from '#server/models/engine/upstream-errors.ts';
import { createUpstreamHttp, isNotFoundError, type UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { unreadableResponseError } from '#server/models/engine/upstream.ts';
import { encodeAddedInput, takesUniqueSeed } from '#server/models/providers/added-input.ts';
import type { AddedModelSource } from '#server/models/providers/added-source.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { createFalAdapter, type FalAdapterOptions, falHeaders } from './fal-adapter.ts';
import { fetchFalPrice } from './fal-cost.ts';
import { mapFalError } from './fal-errors.ts';
import { FAL_ENDPOINT_PATTERN } from './fal-request.ts';
import { splitFalResult } from './fal-result.ts';
import { connectFalAdapter, openFal } from './open-fal.ts';

/** `GET /v1/models` of fal's Platform API, github.com/tryAGI/Fal openapi.json, read 2026-11-26. */
const modelsSchema = z.object({
  models: z.array(
    z.object({
      endpoint_id: z.string(),
      metadata: z.nullish(
        z.object({
          display_name: z.nullish(z.string()),
          category: z.nullish(z.string()),
          description: z.nullish(z.string()),
          status: z.nullish(z.string()),
        }),
      ),
      openapi: z.nullish(z.unknown()),
    }),
  ),
});
type FalModelEntry = z.infer<typeof modelsSchema>['models'][number];

const MAX_LISTED = 20;
const MAX_ADDRESS_CHARACTERS = 500;
const MAX_ENDPOINT_CHARACTERS = 200;
const MAX_PRICE_TEXT_CHARACTERS = 2_000;
const TIMEOUT_MS = 15_000;
const MAX_PAGE_BYTES = 1_048_576;

const SITE = /^(?:https?:\/\/)?(?:(?:www\.)?fal\.ai\/models|(?:queue\.)?fal\.run)\//i;
/** Tabs of a model's page. */
const TAB = /\/(?:api|playground|examples|llms\.txt)$/;

export const addedFalModels: AddedModelSource = {
  address_hint: 'Address or name, such as fal-ai/kokoro/american-english',
  parseAddress(text) {
    const entered = text.trim();
    if (entered.length > MAX_ADDRESS_CHARACTERS) return null;
    const path = entered.replace(/[?#].*$/s, '').replace(/\/$/, '');
    const endpoint = SITE.test(path) ? path.replace(SITE, '').replace(TAB, '') : path;
    const isHost = endpoint.split('/')[0]?.includes('.');
    return FAL_ENDPOINT_PATTERN.test(endpoint) && endpoint.length <= MAX_ENDPOINT_CHARACTERS && !isHost
      ? { provider_model: endpoint, provider_version: null }
      : null;
  },
  async search(connection, query, signal) {
    const models = await listModels(openPlatform(connection), { q: query, status: 'active' }, signal);
    return models.slice(0, MAX_LISTED).map(describeModel);
  },
  async read(connection, { provider_model }, signal) {
    const http = openPlatform(connection);
    const [models, price, price_text] = await Promise.all([
      listModels(http, { endpoint_id: provider_model, expand: 'openapi-3.0' }, signal).catch(noneIfNotFound([])),
      fetchFalPrice(http, provider_model, signal).catch(noneIfNotFound(null)),
      readPriceText(connection, provider_model, signal),
    ]);
    const model = models.find(({ endpoint_id }) => endpoint_id === provider_model);
    if (!model) throw new ModelNotFoundError(`fal has no model ${provider_model}. Check its name or address.`);
    const document = model.openapi ?? null;
    if (document === null || jsonAt(document, 'error') !== undefined)
      throw new EngineError('engine_failed', 'fal did not return the schema of this model. Try again later.', {
        retryable: true,
      });
    return {
      ...describeModel(model),
      provider_version: null,
      page_url: `https://fal.ai/models/${provider_model}`,
      is_deprecated: model.metadata?.status === 'deprecated',
      published_price: price?.currency === 'USD' ? { unit_price: price.unit_price, unit: price.unit } : null,
      price_text,
      document,
    };
  },
  normalize: async ({ document, category }, options) => ({
    normalized: await normalizeFal(document, { category, ...options }),
    provider_data: null,
  }),
  createAdapter(connection, model) {
    const connected = connectFalAdapter(connection);
    return createFalAdapter({ ...connected, ...runAddedModel(model, connected.service.base_url) });
  },
};

/** @param base_url of the queue */
export const runAddedModel = (
  { provider_model, normalized, price }: AddedModelVersion,
  baseUrl: string,
): Pick<FalAdapterOptions, 'model' | 'buildRequest' | 'seeded_endpoints' | 'readResult' | 'toPriceUnits'> => ({
  model: provider_model,
  buildRequest: (job, nameReference) => ({
    endpoint: provider_model,
    input: encodeAddedInput(normalized, job, nameReference),
  }),
  seeded_endpoints: takesUniqueSeed(normalized) ? [provider_model] : undefined,
  readResult: (result) => splitFalResult(result, baseUrl, normalized.output),
  toPriceUnits: ({ units, unit }) => (units === null ? null : toPriceUnits(price, { units, unit })),
});

const openPlatform = (connection: PresetConnection): UpstreamHttp => {
  const { api_key } = connection;
  const { platform } = openFal(connection);
  return createUpstreamHttp({ service: platform, api_key, headers: falHeaders, mapError: mapFalError });
};

async function listModels(
  http: UpstreamHttp,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<FalModelEntry[]> {
  const parameters = new URLSearchParams({ ...query, limit: String(MAX_LISTED) });
  const response = await http.requestJson(`/models?${parameters.toString()}`, { signal, timeoutMs: TIMEOUT_MS });
  const { data, error } = modelsSchema.safeParse(response);
  if (!data) throw unreadableResponseError(error);
  return data.models;
}

const describeModel = ({ endpoint_id, metadata }: FalModelEntry) => ({
  provider_model: endpoint_id,
  name: metadata?.display_name || endpoint_id,
  description: metadata?.description || null,
  category: metadata?.category || null,
});

const noneIfNotFound =
  <None>(none: None) =>
  (error: unknown): None => {
    if (!isNotFoundError(error)) throw error;
    return none;
  };

/** The Platform API has no word about tiers; the page that fal writes for agents has. It is public. */
async function readPriceText(
  connection: PresetConnection,
  endpoint: string,
  signal: AbortSignal,
): Promise<string | null> {
  const service = connection.openService(openFal(connection).pages_url);
  const limits = { signal, timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_PAGE_BYTES };
  try {
    const response = await createUpstreamHttp({ service, api_key: null }).request(
      `/models/${endpoint}/llms.txt`,
      limits,
    );
    const sections = (await response.text()).split(/^## /m);
    const pricing = sections.find((section) => /^Pricing\s/.test(section))?.replace(/^Pricing\s/, '');
    const text = pricing
      ?.replace(/^For more details, see .*$/m, '')
      .replaceAll('**', '')
      .trim();
    return text ? text.slice(0, MAX_PRICE_TEXT_CHARACTERS) : null;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
