import * as z from 'zod/mini';

/** Inputs of official models at Replicate: an unknown field or a value out of its list is an error there. */

const file = () => z.string().check(z.regex(/^(https?:\/\/|data:)/));
const files = (max: number) => z.optional(z.array(file()).check(z.maxLength(max)));
const text = (max = 100_000) => z.string().check(z.minLength(1), z.maxLength(max));
const oneOf = (values: string) => z.optional(z.enum(values.split(' ')));

const gptImage = (qualities: string) =>
  z.strictObject({
    prompt: text(32_000),
    aspect_ratio: oneOf(
      '1:1 3:2 2:3 4:3 3:4 16:9 9:16 auto 1024x1024 1536x1024 1024x1536 1536x1152 1152x1536 2048x2048 2048x1152 1152x2048 3840x2160 2160x3840',
    ),
    quality: oneOf(qualities),
    background: oneOf('auto transparent opaque'),
    input_images: files(16),
    number_of_images: z.optional(z.int().check(z.gte(1), z.lte(10))),
    output_format: oneOf('png jpeg webp'),
  });

const PRO_RATIOS = 'match_input_image 1:1 2:3 3:2 3:4 4:3 4:5 5:4 9:16 16:9 21:9';
const nanoBanana2 = {
  prompt: text(),
  image_input: files(14),
  aspect_ratio: oneOf(`${PRO_RATIOS} 1:4 1:8 4:1 8:1`),
  output_format: oneOf('jpg png'),
};

const seedance = (limits: {
  prompt?: number;
  resolutions: string;
  ratios: string;
  max_seconds: number;
  max_images: number;
  max_others: number;
}) =>
  z
    .strictObject({
      prompt: text(limits.prompt),
      image: z.optional(file()),
      last_frame_image: z.optional(file()),
      reference_images: files(limits.max_images),
      reference_videos: files(limits.max_others),
      reference_audios: files(limits.max_others),
      duration: z.optional(z.int().check(z.gte(-1), z.lte(limits.max_seconds))),
      resolution: oneOf(limits.resolutions),
      aspect_ratio: oneOf(limits.ratios),
      generate_audio: z.optional(z.boolean()),
      seed: z.optional(z.int()),
    })
    .check(
      z.refine(
        ({ image, reference_images, reference_videos, reference_audios }) =>
          !image || ![reference_images, reference_videos, reference_audios].some((list) => list && list.length > 0),
        'image cannot be combined with references',
      ),
      z.refine(({ image, last_frame_image }) => image || !last_frame_image, 'last_frame_image needs image'),
      z.refine(
        ({ reference_images = [], reference_videos = [], reference_audios = [] }) =>
          reference_audios.length === 0 || reference_images.length + reference_videos.length > 0,
        'reference_audios need a reference image or video',
      ),
    );

const SEEDANCE_20 = {
  ratios: '16:9 4:3 1:1 3:4 9:16 21:9 9:21 adaptive',
  max_seconds: 15,
  max_images: 9,
  max_others: 3,
} as const;

export const OFFICIAL_MODELS: Readonly<Record<string, z.ZodMiniType>> = {
  'acme/painter': z.record(z.string(), z.unknown()),
  'openai/gpt-image-2': gptImage('low medium high auto'),
  'openai/gpt-image-2.5-flare': gptImage('low medium high xhigh max auto'),
  'openai/gpt-image-2.5-sunburst': gptImage('low medium high xhigh max auto'),
  'google/nano-banana-2': z.strictObject({ ...nanoBanana2, resolution: oneOf('1K 2K 4K') }),
  'google/nano-banana-2-lite': z.strictObject(nanoBanana2),
  'google/nano-banana-pro': z.strictObject({
    ...nanoBanana2,
    aspect_ratio: oneOf(PRO_RATIOS),
    resolution: oneOf('1K 2K 4K'),
  }),
  'bytedance/seedream-5-pro': z.strictObject({
    prompt: text(4000),
    image_input: files(10),
    size: oneOf('1K 2K'),
    aspect_ratio: oneOf('match_input_image 1:1 4:3 3:4 16:9 9:16 3:2 2:3 21:9'),
    output_format: oneOf('png jpeg'),
  }),
  'bytedance/seedance-2.0': seedance({ ...SEEDANCE_20, resolutions: '480p 720p 1080p 4k' }),
  'bytedance/seedance-2.0-fast': seedance({ ...SEEDANCE_20, resolutions: '480p 720p' }),
  'bytedance/seedance-2.5': seedance({
    prompt: 2000,
    resolutions: '480p 720p',
    ratios: '16:9 4:3 1:1 3:4 9:16 21:9 adaptive',
    max_seconds: 30,
    max_images: 30,
    max_others: 10,
  }).check(
    z.refine(({ image, aspect_ratio }) => !image || aspect_ratio === 'adaptive', 'image needs aspect_ratio adaptive'),
    z.refine(({ duration, aspect_ratio }) => duration !== -1 || aspect_ratio === 'adaptive', 'an edit is adaptive'),
  ),
};
