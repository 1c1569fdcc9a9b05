import * as z from 'zod/mini';

/**
 * Inputs of fal's endpoints, from the pages fal.ai/models/{endpoint}/llms.txt and fal-js `types/endpoints.ts` as read on
 * 2026-11-22. Fields that no preset may send (`sync_mode`, `num_images` above 1, …) are left out. Files must be links,
 * because data URLs are not documented for every endpoint.
 */
const url = () => z.string().check(z.regex(/^https?:\/\//, 'Invalid URL'));
const urls = (max: number) => z.array(url()).check(z.minLength(1), z.maxLength(max));
const prompt = (max = 50_000) => z.string().check(z.minLength(1), z.maxLength(max));
const integer = (min: number, max: number) => z.int().check(z.gte(min), z.lte(max));
const split = (list: string) => z.enum(list.split(' '));

interface SizeBounds {
  step: number;
  max_side: number;
  max_ratio: number;
  pixels: readonly [min: number, max: number];
  names: string;
}

const imageSize = ({ step, max_side, max_ratio, pixels, names }: SizeBounds) =>
  z.union([
    split(`square_hd square portrait_4_3 portrait_16_9 landscape_4_3 landscape_16_9 ${names}`),
    z.strictObject({ width: integer(1, max_side), height: integer(1, max_side) }).check(
      z.refine(({ width, height }) => width % step === 0 && height % step === 0, `must be a multiple of ${step}`),
      z.refine(({ width, height }) => Math.max(width / height, height / width) <= max_ratio, 'ratio out of range'),
      z.refine(({ width, height }) => width * height >= pixels[0], 'too few pixels'),
      z.refine(({ width, height }) => width * height <= pixels[1], 'too many pixels'),
    ),
  ]);

const GPT_SIZE: SizeBounds = {
  step: 16,
  max_side: 3840,
  max_ratio: 3,
  pixels: [655_360, 8_294_400],
  names: 'auto',
};
const gptImage = {
  prompt: prompt(32_000),
  image_size: z.optional(imageSize(GPT_SIZE)),
  output_format: z.optional(split('jpeg png webp')),
};
const gpt2 = { ...gptImage, quality: z.optional(split('auto low medium high')) };
const gpt25 = {
  ...gptImage,
  quality: z.optional(split('auto low medium high xhigh max')),
  background: z.optional(split('auto transparent opaque')),
};

const WIDE_RATIOS = 'auto 21:9 16:9 3:2 4:3 5:4 1:1 4:5 3:4 2:3 9:16';
const banana = {
  prompt: prompt(),
  aspect_ratio: z.optional(split(`${WIDE_RATIOS} 4:1 1:4 8:1 1:8`)),
  seed: z.optional(z.int()),
  output_format: z.optional(split('jpeg png webp')),
};
const banana2 = { ...banana, resolution: z.optional(split('0.5K 1K 2K 4K')) };
const bananaPro = {
  ...banana,
  aspect_ratio: z.optional(split(WIDE_RATIOS)),
  resolution: z.optional(split('1K 2K 4K')),
};

const SEEDREAM_SIZE: SizeBounds = {
  step: 1,
  max_side: 16_384,
  max_ratio: 16,
  pixels: [1024 ** 2, 2048 ** 2],
  names: 'auto_1K auto_2K',
};
const seedream = {
  prompt: prompt(),
  image_size: z.optional(imageSize(SEEDREAM_SIZE)),
  output_format: z.optional(split('jpeg png')),
};

const omni = {
  prompt: prompt(20_000),
  aspect_ratio: z.optional(split('16:9 9:16')),
  resolution: z.optional(split('360p 720p 1080p 4k')),
  duration: z.optional(integer(3, 10)),
};

const seedance = (resolutions: string, max_seconds: number) => ({
  prompt: prompt(),
  aspect_ratio: z.optional(split('auto 21:9 16:9 4:3 1:1 3:4 9:16')),
  duration: z.optional(z.enum(['auto', ...Array.from({ length: max_seconds - 3 }, (_, index) => `${index + 4}`)])),
  resolution: z.optional(split(resolutions)),
  generate_audio: z.optional(z.boolean()),
});
const frames = { image_url: url(), end_image_url: z.optional(url()) };

interface FileLists {
  image_urls?: string[] | undefined;
  video_urls?: string[] | undefined;
  audio_urls?: string[] | undefined;
}
const fileLists = (images: number, others: number) => ({
  image_urls: z.optional(urls(images)),
  video_urls: z.optional(urls(others)),
  audio_urls: z.optional(urls(others)),
});
const withFileRules = <Schema extends z.ZodMiniType<FileLists>>(schema: Schema, max_files: number) =>
  schema.check(
    z.refine(({ image_urls = [], video_urls = [], audio_urls = [] }: FileLists) => {
      const visual = image_urls.length + video_urls.length;
      return visual + audio_urls.length <= max_files && (visual > 0 || audio_urls.length === 0);
    }, 'Too many files, or audio without an image or a video'),
  );

const seedance20 = (base: string, resolutions: string): Record<string, z.ZodMiniType> => {
  const common = seedance(resolutions, 15);
  return {
    [`${base}/text-to-video`]: z.strictObject(common),
    [`${base}/image-to-video`]: z.strictObject({ ...common, ...frames }),
    [`${base}/reference-to-video`]: withFileRules(z.strictObject({ ...common, ...fileLists(9, 3) }), 12),
  };
};
const seedance25 = seedance('480p 720p 1080p', 30);

export const FAKE_FAL_INPUTS: Readonly<Record<string, z.ZodMiniType>> = {
  'openai/gpt-image-2': z.strictObject({ ...gpt2, background: z.optional(split('auto transparent opaque')) }),
  'openai/gpt-image-2/edit': z.strictObject({ ...gpt2, image_urls: urls(16) }),
  ...Object.fromEntries(
    ['flare', 'sunburst'].flatMap((variant) => [
      [`openai/gpt-image-2.5/${variant}/text-to-image`, z.strictObject(gpt25)],
      [`openai/gpt-image-2.5/${variant}/edit`, z.strictObject({ ...gpt25, image_urls: urls(16) })],
    ]),
  ),
  'fal-ai/nano-banana-2': z.strictObject(banana2),
  'fal-ai/nano-banana-2/edit': z.strictObject({ ...banana2, image_urls: urls(14) }),
  'google/nano-banana-2-lite': z.strictObject(banana),
  'google/nano-banana-lite/edit': z.strictObject({ ...banana, image_urls: urls(14) }),
  'fal-ai/nano-banana-pro': z.strictObject(bananaPro),
  'fal-ai/nano-banana-pro/edit': z.strictObject({ ...bananaPro, image_urls: urls(14) }),
  'bytedance/seedream/v5/pro/text-to-image': z.strictObject(seedream),
  'bytedance/seedream/v5/pro/edit': z.strictObject({ ...seedream, image_urls: urls(10) }),
  'google/gemini-omni-flash/v1.1/text-to-video': z.strictObject(omni),
  'google/gemini-omni-flash/v1.1/reference-to-video': z.strictObject({
    ...omni,
    image_urls: z.optional(urls(10)),
    reference_video_urls: z.optional(urls(3)),
  }),
  ...seedance20('bytedance/seedance-2.0', '480p 720p 1080p 4k'),
  ...seedance20('bytedance/seedance-2.0/fast', '480p 720p'),
  ...seedance20('bytedance/seedance-2.0/mini', '480p 720p'),
  'bytedance/seedance-2.5/text-to-video': z.strictObject(seedance25),
  'bytedance/seedance-2.5/image-to-video': z.strictObject({
    ...seedance25,
    ...frames,
    aspect_ratio: z.literal('auto'),
  }),
  'bytedance/seedance-2.5/reference-to-video': withFileRules(
    z.strictObject({
      ...seedance25,
      ...fileLists(30, 10),
      task: z.optional(split('reference editing extension')),
    }),
    50,
  ),
  'fal-ai/sync-lipsync/v3': z.strictObject({
    video_url: url(),
    audio_url: url(),
    sync_mode: z.optional(split('cut_off loop bounce silence remap')),
  }),
};
