import * as z from 'zod/mini';
import type { ModelId, TaskId } from '#contract/ids.ts';
import type { ProviderPrice } from '#contract/providers.ts';
import type { Rule } from '#contract/task.ts';
import { computeImageCost } from './image-cost.ts';
import { createOpenAiAdapter } from './openai-adapter.ts';
import { createOpenAiBills } from './openai-bills.ts';
import { mapOpenAiError } from './openai-errors.ts';
import { ResponseLostError } from '#server/models/engine/upstream.ts';
import { createUpstreamHttp, type UpstreamHttp } from '#server/models/engine/upstream-http.ts';
import { onlyValues, type PresetModel, type ProviderPreset } from '#server/models/providers/preset.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { createChatCompletions } from '#server/models/text/chat-completions.ts';
import type { ImageEditParamsNonStreaming, ImageGenerateParamsNonStreaming } from 'openai/resources/images';
import { EngineError, type ResolvedReference } from '#server/models/engine/engine.ts';
import { type BuildImageRequest, imageFiles } from './images.ts';
import { openAiImageSize } from './openai-image-size.ts';

// “Create image edit”, API reference, read 2026-11-23: up to 16 PNG, WebP or JPEG files below 50 MB each.
const MIME_TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const MAX_FILE_BYTES = 50_000_000;

/** `imgmodel-a-2` has no quality in its form. Unlike OpenAI’s `auto`, a fixed one has a known price. */
const FIXED_QUALITY = 'medium';

/** What `/images/generations` and `/images/edits` share. */
type ImageParameters = Omit<ImageGenerateParamsNonStreaming, 'model'> &
  Omit<ImageEditParamsNonStreaming, 'model' | 'image'>;

/** Translates an input to parameters of the Images API. @throws {EngineError} for an unsupported reference */
const buildOpenAiImageRequest: BuildImageRequest = ({ input, references }, nameReference) => {
  for (const reference of references) assertSupported(reference);
  const parameters = {
    prompt: input.prompt,
    size: input.size === undefined ? openAiImageSize(input.aspect_ratio, input.resolution, 'free') : input.size,
    quality: input.quality ?? FIXED_QUALITY,
    ...(input.background ? { background: input.background } : {}),
  } satisfies ImageParameters;
  return { ...parameters, ...imageFiles(references, nameReference) };
};

function assertSupported({ media }: ResolvedReference): void {
  if (!MIME_TYPES.includes(media.mime_type))
    throw new EngineError('invalid_media', 'OpenAI takes references as PNG, JPEG or WebP only.');
  if (media.size_bytes >= MAX_FILE_BYTES)
    throw new EngineError('invalid_media', 'OpenAI takes references below 50 MB only.');
}

const NOTE =
  'An estimate from output tokens of 1024 × 1024 pixels. OpenAI bills tokens, those of prompts and references included; the cost of each job is computed from its usage.';

const common = {
  unit: 'image',
  read_on: '2026-11-23',
  source: 'https://developers.openai.com/api/docs/pricing',
  note: NOTE,
} as const;

/** Costs of `gpt-image-2` in dollars at 1024 × 1024: OpenAI’s guide “Image generation”. */
const MEDIUM_USD = '0.053';
/** Costs of larger images relative to 1024 × 1024; ezkit.app measured 2.02 and 2.62 at medium quality. */
const LARGER = { '2K': '2.05', '4K': '2.7' } as const;

const IMAGE_2_PRICE: ProviderPrice = {
  ...common,
  unit_price_usd: MEDIUM_USD,
  multipliers: { resolution: LARGER },
  note: `Images are made in quality ${FIXED_QUALITY}. ${NOTE}`,
};

/** Output tokens of `gpt-image-2.5-flare` at 1024 × 1024: 196, 439, 1756, 3122 and 7024. */
const IMAGE_2_5_PRICE: ProviderPrice = {
  ...common,
  unit_price_usd: '0.006',
  multipliers: {
    quality: { medium: '2.2', high: '8.8', xhigh: '15.7', max: '35.2' },
    size: { '2048x2048': LARGER['2K'], '3840x2160': LARGER['4K'], '2160x3840': LARGER['4K'] },
  },
};

const ADDRESS = 'https://api.openai.com/v1';
const NO_RESTRICTIONS: readonly Rule[] = [];

interface OpenAiModel {
  model: ModelId;
  /** Model ids: OpenAI’s “Models” page and `openai` 7.57.0, read 2026-11-23. */
  provider_model: string;
  name: string;
  description: string;
  restrictions: readonly Rule[];
  price: ProviderPrice;
}

const MODELS: readonly OpenAiModel[] = [
  {
    model: 'imgmodel-a-2',
    provider_model: 'gpt-image-2',
    name: 'GPT Image 2',
    description: 'Follows long prompts and writes text well, in many shapes up to 4K.',
    // The preview of transparent backgrounds ended on 2026-09-30; the API now returns 400.
    restrictions: [
      onlyValues(
        'prompt',
        'background',
        [null, 'opaque', 'auto'],
        'GPT Image 2 does not make transparent backgrounds at OpenAI.',
      ),
    ],
    price: IMAGE_2_PRICE,
  },
  {
    model: 'imgmodel-a-2.5-flare',
    provider_model: 'gpt-image-2.5-flare',
    name: 'GPT Image 2.5 Flare',
    description: 'Fast images for everyday use, from cheap drafts to the highest quality.',
    restrictions: NO_RESTRICTIONS,
    price: IMAGE_2_5_PRICE,
  },
  {
    model: 'imgmodel-a-2.5-sunburst',
    provider_model: 'gpt-image-2.5-sunburst',
    name: 'GPT Image 2.5 Sunburst',
    description: 'Precise edits and fine detail; takes longer than Flare.',
    restrictions: NO_RESTRICTIONS,
    price: IMAGE_2_5_PRICE,
  },
];

const presetModel = (task: TaskId, { name, description, ...model }: OpenAiModel): PresetModel => ({
  ...model,
  task,
  display: { name, maker: 'OpenAI', description, capabilities: ['references', '2K', '4K'], max_seconds: null },
  createAdapter: (connection) =>
    createOpenAiAdapter({
      service: openServer(connection),
      api_key: connection.api_key,
      model: model.provider_model,
      buildRequest: buildOpenAiImageRequest,
      computeCost: computeImageCost,
    }),
});

const openServer = ({ openService, address }: PresetConnection) => openService(address ?? ADDRESS);
const openHttp = (connection: PresetConnection): UpstreamHttp =>
  createUpstreamHttp({ service: openServer(connection), api_key: connection.api_key, mapError: mapOpenAiError });

/** Models that are documented to take `reasoning_effort: none`, and reason by default: read 2026-11-23. */
const CAN_SKIP_REASONING = /^gpt-(5\.6|6)-luna/;

const modelList = z.object({
  data: z.array(z.object({ id: z.string(), shutdown_date: z.nullish(z.string()) })),
});

/** GPT Image through OpenAI’s Images API. With an address, all requests go below it: `${address}/images/edits`. */
export const openAiPreset: ProviderPreset = {
  id: 'openai',
  name: 'OpenAI',
  description: 'GPT Image 2 and 2.5: images with exact text, and edits with up to 16 references.',
  key: 'required',
  key_url: 'https://platform.openai.com/api-keys',
  terms_url: 'https://openai.com/policies/services-agreement/',
  environment_variables: ['OPENAI_API_KEY'],
  address_variable: 'OPENAI_BASE_URL',
  default_address: ADDRESS,
  models: MODELS.flatMap((model) => [presetModel('image.create', model), presetModel('image.edit', model)]),
  text: {
    suggestion: {
      model: 'gpt-6-luna',
      input_usd_per_million: '0.10',
      output_usd_per_million: '0.50',
      read_on: '2026-11-23',
      source: 'https://developers.openai.com/api/docs/models/gpt-6-luna',
    },
    createGenerate: (connection) =>
      createChatCompletions(openHttp(connection), {
        limit_field: 'max_completion_tokens',
        parameters: (model) => ({
          store: false,
          ...(CAN_SKIP_REASONING.test(model) ? { reasoning_effort: 'none' } : {}),
        }),
      }),
  },
  bills: createOpenAiBills(openHttp),
  // New models work before they are listed, so the list is read for shutdown dates only.
  async check(connection, signal) {
    const { data } = modelList.safeParse(await openHttp(connection).requestJson('/models', { signal }));
    if (!data) throw new ResponseLostError('The server does not list its models. Check the address.');
    const closing = MODELS.flatMap(({ provider_model, name }) => {
      const date = data.data.find(({ id }) => id === provider_model)?.shutdown_date;
      return date ? [`OpenAI shuts down ${name} on ${date}.`] : [];
    });
    return ['The key works.', ...closing].join(' ');
  },
};
