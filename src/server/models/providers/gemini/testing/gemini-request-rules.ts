import * as z from 'zod/mini';

/** Bounds of requests: js-genai 3.1.0 and the model pages of ai.google.dev, read 2026-11-23. Unknown fields are rejected. */
const base64 = () => z.string().check(z.minLength(1), z.regex(/^[A-Za-z0-9+/]+={0,2}$/));
const text = () => z.string().check(z.minLength(1));

const TEN_RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];
const CONTENT_MODELS: Record<string, { ratios: string[]; sizes: string[]; max_images: number }> = {
  'gemini-nano-banana-2.1': {
    ratios: [...TEN_RATIOS, '1:8', '8:1', '1:4', '4:1'],
    sizes: ['1K', '2K', '4K'],
    max_images: 14,
  },
  'gemini-3.1-flash-lite-image': { ratios: TEN_RATIOS, sizes: [], max_images: 14 },
  'gemini-3-pro-image': { ratios: TEN_RATIOS, sizes: ['1K', '2K', '4K'], max_images: 14 },
};

const contentRequest = z.strictObject({
  contents: z.array(
    z.strictObject({
      role: z.literal('user'),
      parts: z.array(
        z.union([
          z.strictObject({ text: text() }),
          z.strictObject({
            inlineData: z.strictObject({ mimeType: z.enum(['image/png', 'image/jpeg', 'image/webp']), data: base64() }),
          }),
        ]),
      ),
    }),
  ),
  generationConfig: z.strictObject({
    responseModalities: z.array(z.enum(['TEXT', 'IMAGE'])).check(z.minLength(1)),
    imageConfig: z.optional(z.strictObject({ aspectRatio: z.optional(z.string()), imageSize: z.optional(z.string()) })),
  }),
});

/** @returns the message of the error that the API responds with */
export function findContentProblem(model: string, body: unknown): string | null {
  const limits = CONTENT_MODELS[model];
  if (!limits) return `models/${model} is not found for API version v1beta.`;
  const { data, error } = contentRequest.safeParse(body);
  if (!data) return `Invalid JSON payload received: ${error.issues[0]?.path.join('.')}.`;
  const { aspectRatio, imageSize } = data.generationConfig.imageConfig ?? {};
  if (aspectRatio !== undefined && !limits.ratios.includes(aspectRatio)) return `Invalid aspect ratio ${aspectRatio}.`;
  if (imageSize !== undefined && !limits.sizes.includes(imageSize)) return `Invalid image size ${imageSize}.`;
  const parts = data.contents.flatMap((content) => content.parts);
  if (!parts.some((part) => 'text' in part)) return 'Contents need a text.';
  return parts.filter((part) => 'inlineData' in part).length > limits.max_images ? 'Too many images.' : null;
}

const textParts = () => z.array(z.strictObject({ text: text() })).check(z.minLength(1));
const textRequest = z.strictObject({
  systemInstruction: z.strictObject({ parts: textParts() }),
  contents: z.array(z.strictObject({ role: z.literal('user'), parts: textParts() })).check(z.minLength(1)),
  generationConfig: z.strictObject({ maxOutputTokens: z.int().check(z.gte(1), z.lte(65_536)) }),
});

/** @returns the message of the error that the API responds with to a request for text */
export function findTextProblem(body: unknown): string | null {
  const { error } = textRequest.safeParse(body);
  return error ? `Invalid JSON payload received: ${error.issues[0]?.path.join('.')}.` : null;
}

const interactionRequest = z.strictObject({
  model: z.enum(['gemini-omni-1.2-flash', 'gemini-omni-1.1-flash']),
  input: z.array(
    z.union([
      z.strictObject({ type: z.literal('text'), text: text() }),
      z.strictObject({
        type: z.literal('image'),
        data: base64(),
        mime_type: z.enum(['image/png', 'image/jpeg', 'image/webp']),
      }),
      z.strictObject({
        type: z.literal('video'),
        data: base64(),
        mime_type: z.enum(['video/mp4', 'video/mov', 'video/webm']),
      }),
    ]),
  ),
  response_format: z.strictObject({
    type: z.literal('video'),
    aspect_ratio: z.enum(['16:9', '9:16']),
    resolution: z.enum(['360p', '720p', '1080p', '4k']),
    duration: z.string().check(z.regex(/^\d+s$/)),
    delivery: z.enum(['inline', 'uri']),
  }),
  generation_config: z.strictObject({
    video_config: z.strictObject({ task: z.enum(['text_to_video', 'image_to_video', 'reference_to_video', 'edit']) }),
  }),
  background: z.boolean(),
  store: z.boolean(),
});

/** @returns the message of the error that the API responds with */
export function findInteractionProblem(body: unknown): string | null {
  const { data, error } = interactionRequest.safeParse(body);
  if (!data) return `Invalid value at '${error.issues[0]?.path.join('.')}'.`;
  const { model, input, response_format, generation_config, background, store } = data;
  const is12 = model === 'gemini-omni-1.2-flash';
  const seconds = Number.parseInt(response_format.duration, 10);
  if (seconds < 3 || seconds > (is12 ? 15 : 10)) return `Invalid duration ${response_format.duration}.`;
  if (background && !store) return 'Background interactions must be stored.';
  const images = input.filter(({ type }) => type === 'image');
  const videos = input.filter(({ type }) => type === 'video');
  if (images.length > (is12 ? 6 : 7) || videos.length > 3) return 'Too many references.';
  const hasReferences = images.length + videos.length > 0;
  if (hasReferences !== (generation_config.video_config.task === 'reference_to_video'))
    return `Task ${generation_config.video_config.task} does not fit the input.`;
  const prompt = input.map((item) => (item.type === 'text' ? item.text : '')).join('');
  const tags = [
    ...images.map((_, index) => `<IMAGE_REF_${index}>@Image${index + 1}`),
    ...videos.map((_, index) => `<VIDEO_REF_${index}>@Video${index + 1}`),
  ];
  if (prompt === '') return 'A text is required.';
  return tags.every((tag) => prompt.includes(tag)) ? null : 'The prompt does not name every reference.';
}
