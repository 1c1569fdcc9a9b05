import type { ModelId, TaskId } from '#contract/ids.ts';
import type { ModelChoice } from '#contract/resources/provider.ts';
import type { Rule } from '#contract/task.ts';
import { createCompatibleSource, listModels } from './compatible-source.ts';
import { mapOpenAiError } from './openai-errors.ts';
import { createOpenAiAdapter } from './openai-adapter.ts';
import { type BuildImageRequest, imageFiles } from './images.ts';
import { openAiImageSize } from './openai-image-size.ts';
import { createChatCompletions } from '#server/models/text/chat-completions.ts';
import { createUpstreamHttp, type UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { onlyValues, type PresetModel, type ProviderPreset } from '#server/models/providers/preset.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';

const SIZES = ['1024x1024', '1536x1024', '1024x1536', 'auto'];
const RATIOS = ['1:1', '3:2', '2:3'];

const onlySizes = (resolution: boolean, ratios: readonly string[]): Rule[] => [
  ...(resolution ? [onlyValues('prompt', 'resolution', ['1K'], 'This server makes images in size 1K only.')] : []),
  onlyValues('prompt', 'aspect_ratio', ratios, 'This server makes images in the shapes 1:1, 3:2 and 2:3 only.'),
];

/** Servers differ in what they make; 1024 pixels and three shapes are what all of them know. */
const ANY_RATIO = ['auto', ...RATIOS];
const SIZE_RULES: readonly Rule[] = onlySizes(true, ANY_RATIO);
const LITE_RULES: readonly Rule[] = onlySizes(false, ANY_RATIO);
const NO_AUTO_RULES: readonly Rule[] = onlySizes(true, RATIOS);
const BACKGROUND_RULES: readonly Rule[] = [
  ...SIZE_RULES,
  onlyValues('prompt', 'background', [null], 'This server chooses the background itself.'),
];
const QUALITY_RULES: readonly Rule[] = [
  onlyValues('prompt', 'size', SIZES, 'This server makes 1024 × 1024, 1536 × 1024 and 1024 × 1536 pixels only.'),
  onlyValues(
    'prompt',
    'quality',
    ['low', 'medium', 'high', 'auto'],
    'This server knows the qualities low, medium and high.',
  ),
];

const MODELS: readonly (readonly [ModelId, readonly Rule[]])[] = [
  ['imgmodel-a-2', BACKGROUND_RULES],
  ['imgmodel-a-2.5-flare', QUALITY_RULES],
  ['imgmodel-a-2.5-sunburst', QUALITY_RULES],
  ['imgmodel-b-2', SIZE_RULES],
  ['imgmodel-b-2-lite', LITE_RULES],
  ['imgmodel-b-pro', SIZE_RULES],
  ['imgmodel-d-5-pro', NO_AUTO_RULES],
];

/** Leaves out what not every server knows: the size `auto`, the background, and the format, which is converted here. */
const buildRequest: BuildImageRequest = ({ input, references }, nameReference) => {
  const size =
    input.size === undefined ? openAiImageSize(input.aspect_ratio, input.resolution, 'standard') : input.size;
  return {
    prompt: input.prompt,
    ...(size === 'auto' ? {} : { size }),
    ...(input.quality ? { quality: input.quality } : {}),
    ...imageFiles(references, nameReference),
  };
};

const imageModel = (task: TaskId, model: ModelId, restrictions: readonly Rule[]): PresetModel => ({
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
  restrictions,
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
      buildRequest,
      converts_format: true,
    }),
});

const openServer = (connection: PresetConnection) => connection.openService(connection.address ?? '');

const openHttp = (connection: PresetConnection): UpstreamHttp =>
  createUpstreamHttp({ service: openServer(connection), api_key: connection.api_key, mapError: mapOpenAiError });

/** Any server that speaks one of OpenAI's APIs: LocalAI, vLLM, Ollama, a gateway. */
export const openAiCompatiblePreset: ProviderPreset = {
  id: 'openai-compatible',
  name: 'OpenAI-compatible server',
  description: 'Your own server or gateway that speaks OpenAI’s Images, Videos or Speech API, or Chat Completions.',
  key: 'optional',
  key_url: null,
  terms_url: null,
  environment_variables: [],
  default_address: null,
  model_setting: 'model',
  models: MODELS.flatMap(([model, restrictions]) => [
    imageModel('image.create', model, restrictions),
    imageModel('image.edit', model, restrictions),
  ]),
  text: {
    suggestion: null,
    createGenerate: (connection) => createChatCompletions(openHttp(connection), { limit_field: 'max_tokens' }),
  },
  added: createCompatibleSource(openHttp),
  async check(connection, signal) {
    const ids = await listModels(openHttp(connection), signal);
    const names = ids.slice(0, 5);
    return names.length === 0
      ? 'The server responded, and lists no models.'
      : `The server responded. Models: ${names.join(', ')}${ids.length > names.length ? ', …' : ''}.`;
  },
  validateChoice: ({ provider_model }: ModelChoice) =>
    provider_model !== undefined && /\s/.test(provider_model) ? 'A model name has no spaces.' : null,
};
