import type { ProviderPrice } from '#contract/providers.ts';
import type { Rule } from '#contract/task.ts';
import { EngineError } from '#server/models/engine/engine.ts';
import type { PresetModel } from '#server/models/providers/preset.ts';
import { defineReplicateModel, readImages } from './define-replicate-model.ts';

type ImageTask = 'image.create' | 'image.edit';

/** Fields of the pages replicate.com/google/nano-banana-…/api (read 2026-11-23): no value means “as the input image”. */
const fromRatio = (aspectRatio: string) => (aspectRatio === 'auto' ? {} : { aspect_ratio: aspectRatio });
const fromFormat = (outputFormat: 'png' | 'jpeg') => (outputFormat === 'jpeg' ? 'jpg' : 'png');

const NO_RULES: readonly Rule[] = [];
/** Prices as other projects read them on the model pages. @param published when they did: “July 2026” */
const price = (
  slug: string,
  published: string,
  details: Pick<ProviderPrice, 'unit_price_usd' | 'multipliers'>,
): ProviderPrice => ({
  unit: 'image',
  ...details,
  read_on: '2026-11-23',
  source: `https://replicate.com/${slug}`,
  note: `As published in ${published}.`,
});

const nanoBanana2 = (task: ImageTask): PresetModel =>
  defineReplicateModel({
    task,
    model: 'imgmodel-b-2',
    slug: 'google/nano-banana-2',
    display: {
      name: 'Nano Banana 2',
      maker: 'Google',
      description: 'Fast all-rounder for photos, drawings and edits with many references.',
      capabilities: ['references', '2K', '4K'],
      max_seconds: null,
    },
    restrictions: NO_RULES,
    price: price('google/nano-banana-2', 'July 2026', {
      unit_price_usd: '0.067',
      multipliers: { resolution: { '2K': '1.507463', '4K': '2.253731' } },
    }),
    buildInput: ({ prompt, aspect_ratio, resolution, output_format }, source) => ({
      prompt,
      ...readImages(source, 'image_input'),
      ...fromRatio(aspect_ratio),
      resolution,
      output_format: fromFormat(output_format),
    }),
    unitCost: ({ resolution }) => ({ '1K': 67_000n, '2K': 101_000n, '4K': 151_000n })[resolution],
  });

const nanoBanana2Lite = (task: ImageTask): PresetModel =>
  defineReplicateModel({
    task,
    model: 'imgmodel-b-2-lite',
    slug: 'google/nano-banana-2-lite',
    display: {
      name: 'Nano Banana 2 Lite',
      maker: 'Google',
      description: 'The cheapest of Google’s image models, for drafts and quick edits.',
      capabilities: ['references'],
      max_seconds: null,
    },
    restrictions: NO_RULES,
    price: price('google/nano-banana-2-lite', 'September 2026', { unit_price_usd: '0.034' }),
    buildInput: ({ prompt, aspect_ratio }, source) => ({
      prompt,
      ...readImages(source, 'image_input'),
      ...fromRatio(aspect_ratio),
      output_format: 'png',
    }),
    unitCost: () => 34_000n,
  });

const nanoBananaPro = (task: ImageTask): PresetModel =>
  defineReplicateModel({
    task,
    model: 'imgmodel-b-pro',
    slug: 'google/nano-banana-pro',
    display: {
      name: 'Nano Banana Pro',
      maker: 'Google',
      description: 'Google’s best image model: exact text, diagrams and consistent people.',
      capabilities: ['references', '2K', '4K'],
      max_seconds: null,
    },
    restrictions: NO_RULES,
    price: price('google/nano-banana-pro', 'July 2026', {
      unit_price_usd: '0.15',
      multipliers: { resolution: { '4K': '2' } },
    }),
    buildInput: ({ prompt, aspect_ratio, resolution, output_format }, source) => ({
      prompt,
      ...readImages(source, 'image_input'),
      ...fromRatio(aspect_ratio),
      resolution,
      output_format: fromFormat(output_format),
    }),
    unitCost: ({ resolution }) => (resolution === '4K' ? 300_000n : 150_000n),
  });

/** replicate.com/bytedance/seedream-5-pro/api (read 2026-11-23). */
const MAX_SEEDREAM_PROMPT = 4000;

const seedream = (task: ImageTask): PresetModel =>
  defineReplicateModel({
    task,
    model: 'imgmodel-d-5-pro',
    slug: 'bytedance/seedream-5-pro',
    display: {
      name: 'Seedream 5 Pro',
      maker: 'ByteDance',
      description: 'Detailed photos, posters and edits that keep people and objects consistent.',
      capabilities: ['references', '2K'],
      max_seconds: null,
    },
    restrictions: NO_RULES,
    price: price('bytedance/seedream-5-pro', 'September 2026', {
      unit_price_usd: '0.045',
      multipliers: { resolution: { '2K': '2' } },
    }),
    buildInput({ prompt, aspect_ratio, resolution, output_format }, source) {
      if ([...prompt].length > MAX_SEEDREAM_PROMPT)
        throw new EngineError('engine_failed', 'Replicate’s Seedream 5 Pro takes prompts of up to 4,000 characters.');
      return { prompt, ...readImages(source, 'image_input'), size: resolution, aspect_ratio, output_format };
    },
    unitCost: ({ resolution }) => (resolution === '2K' ? 90_000n : 45_000n),
  });

export const OTHER_IMAGE_MODELS: readonly PresetModel[] = (['image.create', 'image.edit'] as const).flatMap((task) => [
  nanoBanana2(task),
  nanoBanana2Lite(task),
  nanoBananaPro(task),
  seedream(task),
]);
