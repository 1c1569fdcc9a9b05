import * as z from 'zod/mini';
import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import type { AddedPrice } from '#contract/added-models/prices/price-schema.ts';
import { normalizeReplicate } from '#contract/added-models/provider-schemas.ts';
import { jsonAt } from '#contract/json-value.ts';
import { splitResult } from '#server/models/engine/split-result.ts';
import { encodeAddedInput, takesUniqueSeed } from '#server/models/providers/added-input.ts';
import { uniqueSeed } from '#server/models/engine/unique-seed.ts';
import { type LostSubmit, unreadableResponseError } from '#server/models/engine/upstream.ts';
import { ModelNotFoundError } from '#server/models/engine/upstream-errors.ts';
import { isNotFoundError } from '#server/models/engine/upstream-http.ts';
import type { AddedModelSource } from '#server/models/providers/added-source.ts';
import { openReplicate, openReplicateHttp } from './define-replicate-model.ts';
import { createReplicateAdapter, type PredictionOutputs } from './replicate-adapter.ts';
import type { Prediction } from './prediction.ts';

const OWNER_PATTERN = /^[a-z0-9][\w-]{0,99}$/i;
const NAME_PATTERN = /^[a-z0-9][\w.-]{0,99}$/i;
const ADDRESS_PATTERN =
  /^(?:(?:https?:\/\/)?(?:www\.)?replicate\.com\/)?([^/]+)\/([^/:?#]+)(?:(?::|\/versions\/)([0-9a-f]{64}))?\/?(?:[?#].*)?$/i;
const MAX_ADDRESS_CHARACTERS = 1_000;

const versionSchema = z.object({ id: z.nullish(z.string()), openapi_schema: z.nullish(z.unknown()) });
const modelSchema = z.object({
  owner: z.string().check(z.regex(OWNER_PATTERN)),
  name: z.string().check(z.regex(NAME_PATTERN)),
  description: z.nullish(z.string()),
  is_official: z.nullish(z.boolean()),
  latest_version: z.nullish(versionSchema),
  /** A prediction: replicate.com/docs/reference/http#models.get, read 2026-11-28. */
  default_example: z.nullish(z.object({ input: z.nullish(z.unknown()), output: z.nullish(z.unknown()) })),
});
/** `GET /search`, which replaces `QUERY /models`: replicate.com/changelog/2025-09-16-new-search-api. */
const searchSchema = z.object({
  models: z.array(
    z.object({ model: z.object({ owner: z.string(), name: z.string(), description: z.nullish(z.string()) }) }),
  ),
});

function parseResponse<Schema extends z.ZodMiniType>(schema: Schema, response: unknown): z.infer<Schema> {
  const { data, error } = schema.safeParse(response);
  if (error) throw unreadableResponseError(error);
  return data;
}

const MAX_LISTED = 20;

export const addedReplicateModels: AddedModelSource = {
  address_hint: 'Address or name, such as owner/name or owner/name:version',
  parseAddress(text) {
    const [, owner = '', name = '', version = null] =
      ADDRESS_PATTERN.exec(text.slice(0, MAX_ADDRESS_CHARACTERS).trim()) ?? [];
    if (!OWNER_PATTERN.test(owner) || !NAME_PATTERN.test(name)) return null;
    return { provider_model: `${owner}/${name}`, provider_version: version?.toLowerCase() ?? null };
  },
  async search(connection, query, signal) {
    const parameters = new URLSearchParams({ query, limit: String(MAX_LISTED) });
    const response = await openReplicateHttp(connection).requestJson(`/search?${parameters}`, { signal });
    return parseResponse(searchSchema, response)
      .models.slice(0, MAX_LISTED)
      .map(({ model: { owner, name, description = null } }) => ({
        provider_model: `${owner}/${name}`,
        name,
        description,
        category: null,
      }))
      .filter(({ provider_model }) => addedReplicateModels.parseAddress(provider_model) !== null);
  },
  async read(connection, address, signal) {
    const { provider_model, provider_version } = address;
    const http = openReplicateHttp(connection);
    const get = async (path: string, missing: string): Promise<unknown> => {
      try {
        return await http.requestJson(path, { signal });
      } catch (error) {
        if (!isNotFoundError(error)) throw error;
        throw new ModelNotFoundError(missing, error);
      }
    };
    const path = `/models/${provider_model}`;
    const missing = `Replicate has no model ${provider_model}, or it is private and this key can’t use it.`;
    const model = parseResponse(modelSchema, await get(path, missing));
    const { owner, name, description = null, is_official, latest_version = null, default_example } = model;
    const pinned = provider_version ?? (is_official ? null : (latest_version?.id ?? null));
    const version =
      provider_version === null || provider_version === latest_version?.id
        ? latest_version
        : parseResponse(
            versionSchema,
            await get(
              `${path}/versions/${encodeURIComponent(provider_version)}`,
              `${provider_model} does not have this version.`,
            ),
          );
    return {
      provider_model: `${owner}/${name}`,
      provider_version: pinned,
      name,
      description,
      category: null,
      page_url: `https://replicate.com/${owner}/${name}`,
      is_deprecated: latest_version === null,
      published_price: null,
      price_text: null,
      ...(default_example ? { example: { input: default_example.input, output: default_example.output } } : {}),
      document: version?.openapi_schema ?? null,
    };
  },
  async normalize({ document, category, example = null }, options) {
    const display = jsonAt(document, 'components', 'schemas', 'Output', 'x-cog-array-display');
    return {
      normalized: await normalizeReplicate(document, { category, example, ...options }),
      provider_data: display === 'concatenate' ? { is_text: true } : null,
    };
  },
  createAdapter(connection, model) {
    const { normalized, provider_model, provider_version } = model;
    const connected = openReplicate(connection);
    return createReplicateAdapter({
      ...connected,
      model: provider_version === null ? provider_model : `${provider_model}:${provider_version}`,
      is_official: provider_version === null,
      deadlineMs: connection.deadlineMs,
      buildInput({ input, references, submit_key }, nameReference) {
        return encodeAddedInput(normalized, { input, references, submit_key }, nameReference);
      },
      uniqueInput: (job) => uniqueInput(model, job),
      readOutputs: (prediction) => readOutputs(model, prediction, connected.service.base_url),
    });
  },
};

/** The seed that the person left to the model, so that a lost submit can be found. */
const uniqueInput = (
  { normalized }: AddedModelVersion,
  { submit_key, input }: Pick<LostSubmit, 'submit_key' | 'input'>,
): { seed: number } | null =>
  typeof input['seed'] !== 'number' && takesUniqueSeed(normalized) ? { seed: uniqueSeed(submit_key) } : null;

function readOutputs(
  { price, provider_data }: AddedModelVersion,
  { output, metrics }: Prediction,
  baseUrl: string,
): PredictionOutputs {
  const isText = jsonAt(provider_data, 'is_text') === true && Array.isArray(output);
  return { ...splitResult(isText ? output.join('') : output, baseUrl), units: billedUnits(price, metrics ?? {}) };
}

/** Units of the price among cog's billing metrics; undefined if there are none. */
function billedUnits(
  { unit, quantity, tiers }: AddedPrice,
  metrics: Readonly<Record<string, unknown>>,
): number | undefined {
  // Its counts have no tiers in them.
  if (tiers.length > 0) return undefined;
  const read = (name: string): number | undefined => {
    const value = metrics[name];
    return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
  };
  if (unit === 'image') return read('image_output_count');
  if (unit === 'second')
    return read('video_output_duration_seconds') ?? (quantity.from === 'result' ? read('predict_time') : undefined);
  if (unit !== 'token') return undefined;
  const counts = [read('input_token_count'), read('output_token_count')].filter((count) => count !== undefined);
  return counts.length > 0 ? counts.reduce((sum, count) => sum + count, 0) : undefined;
}
