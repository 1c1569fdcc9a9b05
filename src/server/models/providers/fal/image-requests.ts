import type { EndpointTypeMap } from '@fal-ai/client/endpoints';
import { configurationError } from '#server/models/engine/engine.ts';
import type { BuildFalRequest } from './fal-request.ts';
import { openAiImageSize } from '#server/models/providers/openai/openai-image-size.ts';
import { defineFalRequest, defineSeededFalRequest, type FalReferences } from './define-request.ts';

type ImageTask = 'image.create' | 'image.edit';

/** The form of GPT Image 2 has no quality, and fal's default is the most expensive one. */
export const GPT_IMAGE_2_QUALITY = 'medium';

/** Images of either task. Every endpoint with `image_urls` needs at least one. */
const listImages = ({ listUrls }: FalReferences): string[] => [...listUrls('images'), ...listUrls('reference_images')];

/** `1248x832` as fal's `image_size`. */
function toImageSize(size: string): string | { width: number; height: number } {
  const [width, height] = size.split('x').map(Number);
  return width && height ? { width, height } : size;
}

/** Fields: fal.ai/models/openai/gpt-image-2/llms.txt, read 2026-11-22. */
export const buildGptImage2 = defineFalRequest<ImageTask, 'imgmodel-a-2'>((input, references) => {
  const imageUrls = listImages(references);
  const body = {
    prompt: input.prompt,
    image_size: toImageSize(openAiImageSize(input.aspect_ratio, input.resolution, 'free')),
    quality: GPT_IMAGE_2_QUALITY,
    output_format: 'png',
    ...(input.background === null ? {} : { background: input.background }),
  };
  return imageUrls.length === 0
    ? { endpoint: 'openai/gpt-image-2', input: body }
    : { endpoint: 'openai/gpt-image-2/edit', input: { ...body, image_urls: imageUrls } };
});

/** Fields: fal.ai/models/openai/gpt-image-2.5/…/llms.txt, read 2026-11-22. */
export const buildGptImage25 = (variant: 'flare' | 'sunburst'): BuildFalRequest =>
  defineFalRequest<ImageTask, 'imgmodel-a-2.5-flare' | 'imgmodel-a-2.5-sunburst'>((input, references) => {
    const imageUrls = listImages(references);
    const body = {
      prompt: input.prompt,
      image_size: toImageSize(input.size),
      quality: input.quality,
      output_format: 'png',
    };
    return imageUrls.length === 0
      ? { endpoint: `openai/gpt-image-2.5/${variant}/text-to-image`, input: body }
      : { endpoint: `openai/gpt-image-2.5/${variant}/edit`, input: { ...body, image_urls: imageUrls } };
  });

export const buildNanoBanana2 = defineSeededFalRequest<ImageTask, 'imgmodel-b-2'>((input, references) => {
  const { prompt, aspect_ratio, resolution, output_format } = input;
  const imageUrls = listImages(references);
  const body = {
    prompt,
    aspect_ratio,
    resolution,
    output_format,
  } satisfies TypedInput<'fal-ai/nano-banana-2'>;
  if (imageUrls.length === 0) return { endpoint: 'fal-ai/nano-banana-2', input: body };
  const edit = { ...body, image_urls: imageUrls } satisfies TypedInput<'fal-ai/nano-banana-2/edit'>;
  return { endpoint: 'fal-ai/nano-banana-2/edit', input: edit };
});

/** It makes 1K only, without a field for it. Fields: fal.ai/models/google/nano-banana-lite/llms.txt, read 2026-11-22. */
export const buildNanoBananaLite = defineSeededFalRequest<ImageTask, 'imgmodel-b-2-lite'>((input, references) => {
  const imageUrls = listImages(references);
  const body = {
    prompt: input.prompt,
    aspect_ratio: input.aspect_ratio,
    output_format: 'png',
  };
  return imageUrls.length === 0
    ? { endpoint: 'google/nano-banana-2-lite', input: body }
    : { endpoint: 'google/nano-banana-lite/edit', input: { ...body, image_urls: imageUrls } };
});

export const buildNanoBananaPro = defineSeededFalRequest<ImageTask, 'imgmodel-b-pro'>((input, references) => {
  const { prompt, aspect_ratio, resolution, output_format } = input;
  const imageUrls = listImages(references);
  const body = {
    prompt,
    aspect_ratio,
    resolution,
    output_format,
  } satisfies TypedInput<'fal-ai/nano-banana-pro'>;
  if (imageUrls.length === 0) return { endpoint: 'fal-ai/nano-banana-pro', input: body };
  const edit = { ...body, image_urls: imageUrls } satisfies TypedInput<'fal-ai/nano-banana-pro/edit'>;
  return { endpoint: 'fal-ai/nano-banana-pro/edit', input: edit };
});

/** The client package knows the inputs of these four alone. */
type TypedInput<Endpoint extends keyof EndpointTypeMap> = EndpointTypeMap[Endpoint]['input'];

/**
 * Sizes of landscape formats. Seedream 5 Pro at fal makes 1024² to 2048² pixels in total: fal.ai/models/bytedance/
 * seedream/v5/pro/edit/llms.txt, read 2026-11-22.
 */
const SEEDREAM_SIZES: Readonly<Record<string, Readonly<Record<'1K' | '2K', readonly [number, number]>>>> = {
  '1:1': { '1K': [1024, 1024], '2K': [2048, 2048] },
  '4:3': { '1K': [1184, 888], '2K': [2360, 1768] },
  '16:9': { '1K': [1368, 768], '2K': [2728, 1536] },
  '3:2': { '1K': [1256, 840], '2K': [2504, 1672] },
  '21:9': { '1K': [1568, 672], '2K': [3120, 1336] },
};

function seedreamSize(aspectRatio: string, resolution: '1K' | '2K'): { width: number; height: number } {
  const landscape = SEEDREAM_SIZES[aspectRatio]?.[resolution];
  if (landscape) return { width: landscape[0], height: landscape[1] };
  const portrait = SEEDREAM_SIZES[aspectRatio.split(':').toReversed().join(':')]?.[resolution];
  if (portrait) return { width: portrait[1], height: portrait[0] };
  throw configurationError(`no size for ${aspectRatio} at ${resolution}`);
}

export const buildSeedream5Pro = defineFalRequest<ImageTask, 'imgmodel-d-5-pro'>((input, references) => {
  const imageUrls = listImages(references);
  const body = {
    prompt: input.prompt,
    image_size: seedreamSize(input.aspect_ratio, input.resolution),
    output_format: input.output_format,
  };
  return imageUrls.length === 0
    ? { endpoint: 'bytedance/seedream/v5/pro/text-to-image', input: body }
    : { endpoint: 'bytedance/seedream/v5/pro/edit', input: { ...body, image_urls: imageUrls } };
});
