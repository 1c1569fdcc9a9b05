import type { ModelId, TaskId } from '#contract/ids.ts';
import type { ModelCapability } from '#contract/providers.ts';
import type { Rule } from '#contract/task.ts';
import { createGeminiImageAdapter } from './gemini-adapter.ts';
import type { GeminiImageModel } from './generate-content.ts';
import { onlyValues, type PresetModel, withoutMask } from '#server/models/providers/preset.ts';
import type { PresetConnection } from '#server/models/providers/preset-connection.ts';
import { openGemini } from './gemini-server.ts';

const NOTE =
  'Prompts, references and thoughts are billed as tokens in addition; the cost of each job is computed from its usage.';

interface ImageModel extends GeminiImageModel {
  id: ModelId;
  name: string;
  description: string;
  capabilities: readonly ModelCapability[];
  restrictions: readonly Rule[];
  /** Dollars per image of 1K. */
  image_usd: string;
  by_resolution?: Readonly<Record<string, string>>;
}

/** Google’s page lists these ten for Nano Banana 2 Lite, and says “14” elsewhere. Read 2026-11-23. */
const LITE_RATIOS = 'auto 1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9'.split(' ');

/**
 * Ids and sizes: model pages of ai.google.dev and js-genai 3.1.0, read 2026-11-23. Prices per token:
 * https://ai.google.dev/gemini-api/docs/pricing; those of Nano Banana 2.1 as LiteLLM #44983 quotes them.
 */
const MODELS: readonly ImageModel[] = [
  {
    id: 'imgmodel-b-2',
    // Its successor; Google shut down gemini-3.1-flash-image on 2026-10-29.
    model: 'gemini-nano-banana-2.1',
    has_sizes: true,
    name: 'Nano Banana 2.1',
    description: 'Fast images and edits up to 4K, with people and objects from up to 14 references.',
    capabilities: ['references', '2K', '4K'],
    restrictions: [],
    prices: { input: 1.5, text_output: 7.5, image_output: 30 },
    // 1,120, 1,680 and 3,780 tokens.
    image_usd: '0.0336',
    by_resolution: { '2K': '1.5', '4K': '3.375' },
  },
  {
    id: 'imgmodel-b-2-lite',
    model: 'gemini-3.1-flash-lite-image',
    has_sizes: false,
    name: 'Nano Banana 2 Lite',
    description: 'The fastest of the series, for many images at low cost.',
    capabilities: ['references'],
    restrictions: [
      onlyValues(
        'prompt',
        'aspect_ratio',
        LITE_RATIOS,
        'Nano Banana 2 Lite does not make the shapes 1:4, 4:1, 1:8 and 8:1 at Google.',
      ),
    ],
    prices: { input: 0.25, text_output: 1.5, image_output: 30 },
    image_usd: '0.0336',
  },
  {
    id: 'imgmodel-b-pro',
    model: 'gemini-3-pro-image',
    has_sizes: true,
    name: 'Nano Banana Pro',
    description: 'Thinks before it draws: exact text, diagrams and difficult edits, up to 4K.',
    capabilities: ['references', '2K', '4K'],
    restrictions: [],
    prices: { input: 2, text_output: 12, image_output: 120 },
    // 1,120 tokens for 1K and 2K, 2,000 for 4K.
    image_usd: '0.1344',
    by_resolution: { '4K': '1.79' },
  },
];

const createPresetModel = (task: TaskId, imageModel: ImageModel): PresetModel => ({
  task,
  model: imageModel.id,
  provider_model: imageModel.model,
  display: {
    name: imageModel.name,
    maker: 'Google',
    description: imageModel.description,
    capabilities: [...imageModel.capabilities],
    max_seconds: null,
  },
  restrictions: withoutMask(task, imageModel.restrictions, imageModel.name),
  price: {
    unit: 'image',
    unit_price_usd: imageModel.image_usd,
    ...(imageModel.by_resolution ? { multipliers: { resolution: imageModel.by_resolution } } : {}),
    read_on: '2026-11-23',
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    note: NOTE,
  },
  createAdapter: (connection: PresetConnection) =>
    createGeminiImageAdapter({ service: openGemini(connection), api_key: connection.api_key, ...imageModel }),
});

export const GEMINI_IMAGE_MODELS: readonly PresetModel[] = MODELS.flatMap((model) => [
  createPresetModel('image.create', model),
  createPresetModel('image.edit', model),
]);
