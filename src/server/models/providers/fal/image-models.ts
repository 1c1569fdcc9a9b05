import type { ModelCapability, ProviderPrice } from '#contract/providers.ts';
import type { Rule } from '#contract/task.ts';
import { onlyValues, type PresetModel } from '#server/models/providers/preset.ts';
import { defineFalModel } from './define-model.ts';
import {
  buildGptImage2,
  buildGptImage25,
  buildNanoBanana2,
  buildNanoBananaLite,
  buildNanoBananaPro,
  buildSeedream5Pro,
  GPT_IMAGE_2_QUALITY,
} from './image-requests.ts';

type ImageEntry = Omit<Parameters<typeof defineFalModel>[0], 'task'>;
type EditChanges = Partial<Pick<ImageEntry, 'price' | 'restrictions'>> & { endpoint: string };

/** Both tasks of a model: an endpoint for text, and one for text with images. */
const defineImageModel = (entry: ImageEntry, edit: EditChanges): PresetModel[] => [
  defineFalModel({ ...entry, task: 'image.create' }),
  defineFalModel({ ...entry, restrictions: [], ...edit, task: 'image.edit' }),
];

type Price = Omit<ProviderPrice, 'read_on' | 'source'>;
const imagePrice = (unitPriceUsd: string, multipliers: Price['multipliers'], note: string): Price => ({
  unit: 'image',
  unit_price_usd: unitPriceUsd,
  ...(multipliers ? { multipliers } : {}),
  note,
});

const TOKEN_NOTE =
  'An estimate: fal bills tokens, also those of prompts and references, and reports the cost of each job.';
const SIZES: readonly ModelCapability[] = ['references', '2K', '4K'];

/** OpenAI ended transparent backgrounds of this model on 2026-09-30; for edits fal documents no background. */
const NO_TRANSPARENCY = onlyValues(
  'prompt',
  'background',
  [null, 'opaque', 'auto'],
  'fal’s GPT Image 2 does not make transparent backgrounds.',
);
const noBackground = (anchor: string): Rule =>
  onlyValues(anchor, 'background', [null], 'fal’s GPT Image 2 does not set a background when it edits.');

/** Larger images relative to 1024 × 1024 at the same quality; measured by ezkit.app, undated. */
const GPT_LARGER = { '2K': '2.02', '4K': '2.63' };
const GPT_25_SIZES = {
  '2048x2048': GPT_LARGER['2K'],
  '3840x2160': GPT_LARGER['4K'],
  '2160x3840': GPT_LARGER['4K'],
};

/**
 * At 1024 × 1024 in quality low, text to image was measured at $0.0062 and $0.0063, edits at $0.0146 on 2026-09-09. Of
 * that, output is 196 tokens; the other qualities need 439, 1756, 3122 and 7024 tokens at $30 per million.
 */
const GPT_25_PRICES = {
  create: imagePrice(
    '0.0063',
    { quality: { medium: '2.2', high: '8.5', xhigh: '15', max: '33.6' }, size: GPT_25_SIZES },
    TOKEN_NOTE,
  ),
  edit: imagePrice(
    '0.0146',
    { quality: { medium: '1.5', high: '4.3', xhigh: '7.1', max: '15.1' }, size: GPT_25_SIZES },
    TOKEN_NOTE,
  ),
};

const gptImage25 = (variant: 'flare' | 'sunburst', name: string, description: string): PresetModel[] =>
  defineImageModel(
    {
      model: `imgmodel-a-2.5-${variant}`,
      endpoint: `openai/gpt-image-2.5/${variant}/text-to-image`,
      name,
      maker: 'OpenAI',
      description,
      capabilities: SIZES,
      price: GPT_25_PRICES.create,
      build: buildGptImage25(variant),
    },
    { endpoint: `openai/gpt-image-2.5/${variant}/edit`, price: GPT_25_PRICES.edit },
  );

export const FAL_IMAGE_MODELS: readonly PresetModel[] = [
  ...defineImageModel(
    {
      model: 'imgmodel-a-2',
      endpoint: 'openai/gpt-image-2',
      name: 'GPT Image 2',
      maker: 'OpenAI',
      description: 'Follows long instructions closely and writes legible text into images.',
      capabilities: SIZES,
      restrictions: [NO_TRANSPARENCY, noBackground('reference_images')],
      price: imagePrice(
        '0.053',
        { resolution: GPT_LARGER },
        `Images are made in quality ${GPT_IMAGE_2_QUALITY}. ${TOKEN_NOTE}`,
      ),
      build: buildGptImage2,
    },
    { endpoint: 'openai/gpt-image-2/edit', restrictions: [noBackground('images')] },
  ),
  ...gptImage25('flare', 'GPT Image 2.5 Flare', 'Fast drafts and simple edits at a low price.'),
  ...gptImage25('sunburst', 'GPT Image 2.5 Sunburst', 'Detailed images and exact edits, with legible text.'),
  ...defineImageModel(
    {
      model: 'imgmodel-b-2',
      endpoint: 'fal-ai/nano-banana-2',
      name: 'Nano Banana 2',
      maker: 'Google',
      description: 'Quick images and edits that keep people and objects recognizable.',
      capabilities: SIZES,
      price: imagePrice('0.08', { resolution: { '2K': '1.5', '4K': '2' } }, 'The price per image at 1K.'),
      build: buildNanoBanana2,
      seeded_endpoints: ['fal-ai/nano-banana-2', 'fal-ai/nano-banana-2/edit'],
    },
    { endpoint: 'fal-ai/nano-banana-2/edit' },
  ),
  ...defineImageModel(
    {
      model: 'imgmodel-b-2-lite',
      endpoint: 'google/nano-banana-2-lite',
      name: 'Nano Banana 2 Lite',
      maker: 'Google',
      description: 'The fastest and cheapest of the family, for drafts at 1K.',
      capabilities: ['references'],
      price: imagePrice('0.042', undefined, TOKEN_NOTE),
      build: buildNanoBananaLite,
      seeded_endpoints: ['google/nano-banana-2-lite', 'google/nano-banana-lite/edit'],
    },
    { endpoint: 'google/nano-banana-lite/edit' },
  ),
  ...defineImageModel(
    {
      model: 'imgmodel-b-pro',
      endpoint: 'fal-ai/nano-banana-pro',
      name: 'Nano Banana Pro',
      maker: 'Google',
      description: 'Studio quality: layouts, infographics and text in many languages.',
      capabilities: SIZES,
      price: imagePrice('0.15', { resolution: { '4K': '2' } }, 'The price per image at 1K and 2K.'),
      build: buildNanoBananaPro,
      seeded_endpoints: ['fal-ai/nano-banana-pro', 'fal-ai/nano-banana-pro/edit'],
    },
    { endpoint: 'fal-ai/nano-banana-pro/edit' },
  ),
  ...defineImageModel(
    {
      model: 'imgmodel-d-5-pro',
      endpoint: 'bytedance/seedream/v5/pro/text-to-image',
      name: 'Seedream 5 Pro',
      maker: 'ByteDance',
      description: 'Photographic images and edits that change one thing and keep the rest.',
      capabilities: ['references', '2K'],
      price: imagePrice(
        '0.0675',
        { resolution: { '2K': '2' } },
        'fal calls this price tentative. Each reference image after the first adds $0.0045.',
      ),
      build: buildSeedream5Pro,
    },
    { endpoint: 'bytedance/seedream/v5/pro/edit' },
  ),
];
