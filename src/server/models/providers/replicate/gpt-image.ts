import type { ProviderPrice } from '#contract/providers.ts';
import type { Rule } from '#contract/task.ts';
import type { InputOf } from '#contract/task-input.ts';
import { onlyValues, type PresetModel } from '#server/models/providers/preset.ts';
import { defineReplicateModel, readImages } from './define-replicate-model.ts';

/** Fields and prices of the schema pages replicate.com/openai/gpt-image-…/api/schema of 2026-10-05. */
const READ_ON = '2026-10-05';

type GptImage2Input = InputOf<'image.create', 'imgmodel-a-2'>;
type GptImage25Input = InputOf<'image.create', 'imgmodel-a-2.5-flare'>;

/** `aspect_ratio` takes ratios and sizes. These are all of its sizes that the form can ask for. */
export const GPT_IMAGE_2_SIZES: Partial<
  Record<GptImage2Input['resolution'], Partial<Record<GptImage2Input['aspect_ratio'], string>>>
> = {
  '1K': {
    auto: 'auto',
    '1:1': '1024x1024',
    '3:2': '1536x1024',
    '2:3': '1024x1536',
    '4:3': '1536x1152',
    '3:4': '1152x1536',
    '16:9': '16:9',
    '9:16': '9:16',
  },
  '2K': { '1:1': '2048x2048', '16:9': '2048x1152', '9:16': '1152x2048' },
  '4K': { '16:9': '3840x2160', '9:16': '2160x3840' },
};

const GPT_IMAGE_2_RULES: readonly Rule[] = [
  onlyValues(
    'prompt',
    'aspect_ratio',
    ['auto', '1:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16'],
    'Replicate’s GPT Image 2 makes the shapes auto, 1:1, 3:2, 2:3, 4:3, 3:4, 16:9 and 9:16.',
  ),
  {
    when: { field: 'aspect_ratio', in: ['3:2', '2:3', '4:3', '3:4'] },
    field: 'resolution',
    allow: ['1K'],
    message: 'Replicate’s GPT Image 2 makes 3:2, 2:3, 4:3 and 3:4 in size 1K only.',
  },
  onlyValues(
    'prompt',
    'background',
    [null, 'opaque', 'auto'],
    'Replicate’s GPT Image 2 does not make transparent backgrounds.',
  ),
];
const NO_RULES: readonly Rule[] = [];

/** Micro-dollars per image by quality; `auto` has a price of its own. */
const QUALITY_MICRO_USD = {
  low: 12_000n,
  medium: 47_000n,
  high: 128_000n,
  xhigh: 250_000n,
  max: 500_000n,
  auto: 250_000n,
} as const;

const price = (
  slug: string,
  details: Pick<ProviderPrice, 'unit_price_usd' | 'multipliers' | 'note'>,
): ProviderPrice => ({
  unit: 'image',
  ...details,
  read_on: READ_ON,
  source: `https://replicate.com/${slug}`,
});

const gptImage2 = (task: 'image.create' | 'image.edit'): PresetModel =>
  defineReplicateModel({
    task,
    model: 'imgmodel-a-2',
    slug: 'openai/gpt-image-2',
    display: {
      name: 'GPT Image 2',
      maker: 'OpenAI',
      description: 'Follows long instructions and writes legible text.',
      capabilities: ['references', '2K', '4K'],
      max_seconds: null,
    },
    restrictions: GPT_IMAGE_2_RULES,
    price: price('openai/gpt-image-2', { unit_price_usd: '0.047', note: 'Quality is medium.' }),
    buildInput: ({ prompt, aspect_ratio, resolution, background }, source) => ({
      prompt,
      ...readImages(source, 'input_images'),
      aspect_ratio: GPT_IMAGE_2_SIZES[resolution]?.[aspect_ratio],
      // The form has no quality; “auto” costs as much as “high”.
      quality: 'medium',
      ...(background ? { background } : {}),
      output_format: 'png',
    }),
    unitCost: () => QUALITY_MICRO_USD.medium,
  });

const gptImage25 = (
  task: 'image.create' | 'image.edit',
  model: 'imgmodel-a-2.5-flare' | 'imgmodel-a-2.5-sunburst',
): PresetModel => {
  const isFlare = model === 'imgmodel-a-2.5-flare';
  const slug = isFlare ? 'openai/gpt-image-2.5-flare' : 'openai/gpt-image-2.5-sunburst';
  return defineReplicateModel({
    task,
    model,
    slug,
    display: {
      name: isFlare ? 'GPT Image 2.5 Flare' : 'GPT Image 2.5 Sunburst',
      maker: 'OpenAI',
      description: 'Six quality levels, from quick drafts to finished images in 4K.',
      capabilities: ['references', '2K', '4K'],
      max_seconds: null,
    },
    restrictions: NO_RULES,
    price: price(slug, {
      unit_price_usd: '0.012',
      multipliers: {
        quality: { low: '1', medium: '3.916667', high: '10.666667', xhigh: '20.833333', max: '41.666667' },
      },
      note: 'Quality auto costs $0.25.',
    }),
    buildInput: ({ prompt, quality, size }: GptImage25Input, source) => ({
      prompt,
      ...readImages(source, 'input_images'),
      aspect_ratio: size,
      quality,
      output_format: 'png',
    }),
    unitCost: ({ quality }: GptImage25Input) => QUALITY_MICRO_USD[quality],
  });
};

export const GPT_IMAGE_MODELS: readonly PresetModel[] = (['image.create', 'image.edit'] as const).flatMap((task) => [
  gptImage2(task),
  gptImage25(task, 'imgmodel-a-2.5-flare'),
  gptImage25(task, 'imgmodel-a-2.5-sunburst'),
]);
