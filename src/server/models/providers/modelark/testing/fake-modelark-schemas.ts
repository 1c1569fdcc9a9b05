import * as z from 'zod/mini';

/** ModelArk’s documented request fields and bounds, per model: an unknown field is an error there. */

const imageData = z
  .string()
  .check(z.regex(/^data:image\/(jpeg|png|webp|bmp|tiff|gif|heic|heif);base64,[A-Za-z0-9+/=]+$/));
const audioData = z.string().check(z.regex(/^data:audio\/(wav|mp3);base64,[A-Za-z0-9+/=]+$/));
const MIN_PIXELS = 921_600;
const MAX_PIXELS = 4_624_220;

function isDocumentedSize(size: string): boolean {
  const [width = 0, height = 0] = size.split('x').map(Number);
  const pixels = width * height;
  return pixels >= MIN_PIXELS && pixels <= MAX_PIXELS && width / height <= 16 && height / width <= 16;
}

export const imageRequestSchema = z.strictObject({
  model: z.literal('dola-seedream-5-0-pro-260628'),
  prompt: z.string().check(z.minLength(1)),
  image: z.optional(z.array(imageData).check(z.minLength(1), z.maxLength(10))),
  size: z.string().check(z.regex(/^\d+x\d+$/), z.refine(isDocumentedSize)),
  output_format: z.optional(z.enum(['png', 'jpeg'])),
  response_format: z.optional(z.enum(['url', 'b64_json'])),
  watermark: z.optional(z.boolean()),
});

const textItem = z.strictObject({ type: z.literal('text'), text: z.string().check(z.minLength(1)) });
const imageItem = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({ url: z.union([imageData, z.url()]) }),
  role: z.enum(['first_frame', 'last_frame', 'reference_image']),
});
const videoItem = z.strictObject({
  type: z.literal('video_url'),
  video_url: z.strictObject({ url: z.url({ protocol: /^https$/ }) }),
  role: z.literal('reference_video'),
});
const audioItem = z.strictObject({
  type: z.literal('audio_url'),
  audio_url: z.strictObject({ url: z.union([audioData, z.url({ protocol: /^https$/ })]) }),
  role: z.literal('reference_audio'),
});

const RATIOS = ['16:9', '9:16', '4:3', '3:4', '1:1', '21:9', 'adaptive'] as const;

const videoFields = {
  content: z.array(z.discriminatedUnion('type', [textItem, imageItem, videoItem, audioItem])),
  ratio: z.optional(z.enum(RATIOS)),
  generate_audio: z.optional(z.boolean()),
  watermark: z.optional(z.boolean()),
  return_last_frame: z.optional(z.boolean()),
  execution_expires_after: z.optional(z.int().check(z.gte(3600), z.lte(259_200))),
};

const seedance20 = (resolutions: readonly string[]) => ({
  resolution: z.optional(z.enum(resolutions)),
  duration: z.optional(z.union([z.literal(-1), z.int().check(z.gte(4), z.lte(15))])),
});

export const videoRequestSchema = z.discriminatedUnion('model', [
  z.strictObject({
    model: z.literal('dreamina-seedance-2-0-260128'),
    ...videoFields,
    ...seedance20(['480p', '720p', '1080p', '4k']),
  }),
  z.strictObject({
    model: z.enum(['dreamina-seedance-2-0-fast-260128', 'dreamina-seedance-2-0-mini-260615']),
    ...videoFields,
    ...seedance20(['480p', '720p']),
  }),
  z.strictObject({
    model: z.literal('dreamina-seedance-2-5-260628'),
    ...videoFields,
    resolution: z.optional(z.enum(['480p', '720p', '1080p'])),
    duration: z.optional(z.union([z.literal(-1), z.int().check(z.gte(4), z.lte(30))])),
    omni_reference_task_type: z.optional(z.enum(['auto', 'reference', 'edit', 'extend'])),
  }),
]);
type VideoRequest = z.infer<typeof videoRequestSchema>;

/** Limits across fields. @returns ModelArk’s error message; null if the request is valid */
export function findVideoProblem(request: VideoRequest): string | null {
  const count = (role: string) => request.content.filter((item) => 'role' in item && item.role === role).length;
  const is25 = request.model === 'dreamina-seedance-2-5-260628';
  const [images, videos, audio] = [count('reference_image'), count('reference_video'), count('reference_audio')];
  const frames = count('first_frame') + count('last_frame');
  if (count('last_frame') > count('first_frame')) return 'last_frame needs first_frame.';
  if (frames > 0 && images + videos + audio > 0)
    return 'first/last frame content cannot be mixed with reference media.';
  const [max_images, max_others] = is25 ? [30, 10] : [9, 3];
  if (images > max_images || videos > max_others || audio > max_others) return 'Too many reference items.';
  if (!is25 && audio > 0 && images + videos === 0) return 'reference_audio cannot be the only reference input.';
  if (!('omni_reference_task_type' in request)) return is25 && frames > 0 ? findShapeProblem(request) : null;
  if (request.omni_reference_task_type !== 'edit') return null;
  if (request.duration !== -1 || videos === 0) return 'edit needs a video and duration -1.';
  return findShapeProblem(request);
}

const findShapeProblem = ({ ratio = 'adaptive' }: VideoRequest): string | null =>
  ratio === 'adaptive' ? null : 'ratio must be adaptive for this task type.';
