import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import { cleanText } from '#contract/added-models/fields/describe-field.ts';
import { normalizeCompatible } from '#contract/added-models/openai-compatible.ts';
import { SchemaError } from '#contract/added-models/schema-error.ts';
import { configurationError } from '#server/models/engine/engine.ts';
import { headerRequestId } from '#server/models/engine/request-id.ts';
import { ModelNotFoundError } from '#server/models/engine/upstream-errors.ts';
import type { UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import {
  ResponseLostError,
  type UpstreamAdapter,
  type UpstreamEngineJob,
  type UpstreamState,
  unreadableResponseError,
} from '#server/models/engine/upstream.ts';
import { encodeJobInput } from '#server/models/providers/added-input.ts';
import type { AddedModelSource } from '#server/models/providers/added-source.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { createImages } from './images.ts';
import { DEFAULT_MAX_OUTPUT_BYTES } from './openai-adapter.ts';
import type { FilePlaceholder } from './request-parameters.ts';
import { cancelVideo, pollVideo, submitVideo } from './videos.ts';

type OpenHttp = (connection: PresetConnection) => UpstreamHttp;

/** OpenAI’s “List models”. */
const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** @throws {EngineError} {UpstreamBusyError} {ResponseLostError} */
export async function listModels(http: UpstreamHttp, signal: AbortSignal): Promise<string[]> {
  const { data } = modelList.safeParse(await http.requestJson('/models', { signal }));
  if (!data) throw new ResponseLostError('The server does not list its models. Check the address.');
  return data.data.map(({ id }) => id);
}

const MODEL_NAME = /^[^\s\p{C}]{1,200}$/u;
const MAX_LISTED = 20;

/** Adds the models that a compatible server lists; what they make is not listed, so the administrator says it. */
export const createCompatibleSource = (openHttp: OpenHttp): AddedModelSource => ({
  address_hint: 'The name of a model of the server, such as “kokoro”.',
  parseAddress(text) {
    const name = text.trim();
    return MODEL_NAME.test(name) && !name.includes('://') ? { provider_model: name, provider_version: null } : null;
  },
  async search(connection, query, signal) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const ids = await listModels(openHttp(connection), signal);
    return ids
      .filter((id) => MODEL_NAME.test(id) && words.every((word) => id.toLowerCase().includes(word)))
      .slice(0, MAX_LISTED)
      .map((id) => ({ provider_model: id, name: id, description: null, category: null }));
  },
  async read(connection, address, signal) {
    requireKind(address.kind);
    const { provider_model } = address;
    const ids = await listModels(openHttp(connection), signal);
    if (!ids.includes(provider_model))
      throw new ModelNotFoundError(`The server lists no model “${cleanText(provider_model, 80)}”.`);
    return {
      ...address,
      name: provider_model,
      description: null,
      category: null,
      page_url: null,
      is_deprecated: false,
      published_price: null,
      price_text: null,
      document: null,
    };
  },
  async normalize({ kind: named }) {
    const kind = requireKind(named);
    return { normalized: await normalizeCompatible(kind), provider_data: { kind } };
  },
  createAdapter: (connection, model) => createCompatibleAdapter(openHttp(connection), model),
});

function requireKind<Kind>(kind: Kind | undefined): Kind {
  if (kind === undefined) throw new SchemaError('Choose what the model makes: images, videos or speech.');
  return kind;
}

const providerData = z.object({ kind: z.enum(['image', 'video', 'speech']) });

type RunModel = Pick<AddedModelVersion, 'provider_model' | 'provider_data' | 'normalized'>;

export function createCompatibleAdapter(
  http: UpstreamHttp,
  model: RunModel,
  max_output_bytes = DEFAULT_MAX_OUTPUT_BYTES,
): UpstreamAdapter {
  const { data } = providerData.safeParse(model.provider_data);
  const options = { model: model.provider_model, max_output_bytes };
  return {
    supports_submit_key: false,
    async submit(job) {
      const build = (nameReference: FilePlaceholder) => encodeRequest(model, job, nameReference);
      if (data?.kind === 'image') return createImages(http, options, job, build);
      if (data?.kind === 'video') return submitVideo(http, options, job, build);
      if (data?.kind === 'speech') return createSpeech(http, options, job, build(String));
      throw configurationError('The kind of this model is missing.');
    },
    poll: (job, handle) => pollVideo(http, options, job, handle),
    cancel: (handle, signal) => cancelVideo(http, handle, signal),
  };
}

/** Without empty lists, which would be an edit without an image. */
const encodeRequest = (model: RunModel, job: UpstreamEngineJob, nameReference: FilePlaceholder) =>
  Object.fromEntries(
    Object.entries(encodeJobInput(model.normalized, job, nameReference)).filter(
      ([, value]) => !(Array.isArray(value) && value.length === 0),
    ),
  );

const SPEECH_TIMEOUT_MS = 10 * 60_000;

async function createSpeech(
  http: UpstreamHttp,
  { model, max_output_bytes }: { model: string; max_output_bytes: number },
  job: UpstreamEngineJob,
  values: Record<string, unknown>,
): Promise<UpstreamState> {
  const { response_format } = values;
  const file = join(job.workDir, `output-0.${typeof response_format === 'string' ? response_format : 'mp3'}`);
  const { json, headers } = await http.requestJsonOrFile(
    '/audio/speech',
    {
      method: 'POST',
      json: { model, ...values },
      signal: job.signal,
      timeoutMs: SPEECH_TIMEOUT_MS,
      maxResponseBytes: max_output_bytes,
      is_not_accepted_on_500: true,
    },
    file,
  );
  job.onRequestId?.(headerRequestId(headers));
  if (json !== undefined) throw unreadableResponseError();
  if ((await stat(file)).size === 0)
    return { status: 'unclear', reason: 'The provider reported success but returned no audio.', result: null };
  return { status: 'succeeded', result: { files: [file], data: null }, cost_micro_usd: null };
}
