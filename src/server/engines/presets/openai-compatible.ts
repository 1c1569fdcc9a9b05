import * as z from 'zod/mini';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { ModelChoice } from '#contract/resources/provider.ts';
import { mapOpenAiError } from '../openai/openai-errors.ts';
import { createOpenAiAdapter } from '../openai/openai-adapter.ts';
import { createUpstreamHttp } from '../upstream-http.ts';
import { ResponseLostError } from '../upstream.ts';
import { onlyValues, type PresetConnection, type PresetModel, type ProviderPreset } from './preset.ts';

/** Servers differ in what they make; 1024 pixels and three shapes are what all of them know. */
const SIZE_RESTRICTIONS = [
  onlyValues('prompt', 'resolution', ['1K'], 'This server makes images in resolution 1K only.'),
];

const imageModel = (task: TaskId, model: ModelId): PresetModel => ({
  task,
  model,
  provider_model: null,
  display: {
    name: 'Own model',
    maker: 'OpenAI-compatible server',
    description: 'The image model of your own server.',
    capabilities: task === 'image.edit' ? ['references'] : [],
    max_seconds: null,
  },
  restrictions: SIZE_RESTRICTIONS,
  price: {
    unit: 'image',
    unit_price_usd: '0',
    read_on: '2026-11-23',
    source: 'your own server',
    note: 'Your own server has no price per image; running it is not counted.',
  },
  createAdapter: (connection, choice) =>
    createOpenAiAdapter({
      service: openServer(connection),
      api_key: connection.api_key,
      model: choice.provider_model ?? '',
      sizes: 'standard',
    }),
});

const openServer = (connection: PresetConnection) => connection.openService(connection.address ?? '');

/** OpenAI’s “List models”. */
const modelList = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Any server that speaks OpenAI's Images API: LocalAI, vLLM-Omni, a gateway. */
export const openAiCompatiblePreset: ProviderPreset = {
  id: 'openai-compatible',
  name: 'OpenAI-compatible server',
  description: 'Your own server or gateway that speaks OpenAI’s Images API.',
  key: 'optional',
  key_url: null,
  terms_url: null,
  environment_variables: [],
  default_address: null,
  model_setting: 'model',
  models: [
    imageModel('image.create', 'imgmodel-a-2'),
    imageModel('image.create', 'imgmodel-b-2-lite'),
    imageModel('image.edit', 'imgmodel-a-2'),
    imageModel('image.edit', 'imgmodel-b-2-lite'),
  ],
  async check(connection, signal) {
    const http = createUpstreamHttp({
      service: openServer(connection),
      api_key: connection.api_key,
      headers: (key) => ({ authorization: `Bearer ${key}` }),
      mapError: mapOpenAiError,
    });
    const { data } = modelList.safeParse(await http.requestJson('/models', { signal }));
    if (!data) throw new ResponseLostError('The server does not list its models. Check the address.');
    const names = data.data.slice(0, 5).map(({ id }) => id);
    return names.length === 0
      ? 'The server responded, and lists no models.'
      : `The server responded. Models: ${names.join(', ')}${data.data.length > names.length ? ', …' : ''}.`;
  },
  validateChoice: ({ provider_model }: ModelChoice) =>
    provider_model !== undefined && /\s/.test(provider_model) ? 'A model name has no spaces.' : null,
};
