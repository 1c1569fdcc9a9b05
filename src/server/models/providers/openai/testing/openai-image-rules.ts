import sharp from 'sharp';
import { findMaskFault, type MaskFault } from '#server/models/engine/testing/mask-fault.ts';

/** Rules of OpenAI’s Images API by model: `openai` 7.57.0 and the guide “Image generation”, read 2026-11-23. */
interface ImageRequest {
  fields: Record<string, unknown>;
  files: readonly { field: string; mime_type: string; bytes: Buffer }[];
  is_edit: boolean;
}

type IsValid = (value: unknown) => boolean;

const oneOf =
  (...values: string[]): IsValid =>
  (value) =>
    typeof value === 'string' && values.includes(value);
const isText: IsValid = (value) => typeof value === 'string' && value !== '';
const QUALITIES = ['low', 'medium', 'high', 'auto'];

/** Models before GPT Image 2, and those of other servers. */
const COMMON: Record<string, IsValid> = {
  prompt: (value) => isText(value) && [...String(value)].length <= 32_000,
  model: isText,
  n: (value) => Number(value) >= 1 && Number(value) <= 10,
  quality: oneOf('standard', 'hd', ...QUALITIES),
  output_format: oneOf('png', 'jpeg', 'webp'),
  output_compression: (value) => Number(value) >= 0 && Number(value) <= 100,
  size: (value) => /^(auto|\d+x\d+)$/.test(String(value)),
  background: oneOf('transparent', 'opaque', 'auto'),
};
const IMAGE_2 = { ...COMMON, quality: oneOf(...QUALITIES), size: isFreeSize };
const IMAGE_2_5 = { ...IMAGE_2, quality: oneOf(...QUALITIES, 'xhigh', 'max') };
const MODELS: Record<string, Record<string, IsValid>> = {
  'gpt-image-2': IMAGE_2,
  'gpt-image-2.5-flare': IMAGE_2_5,
  'gpt-image-2.5-sunburst': IMAGE_2_5,
};

function isFreeSize(value: unknown): boolean {
  if (value === 'auto') return true;
  const [, width = 0, height = 0] = (/^(\d+)x(\d+)$/.exec(String(value)) ?? []).map(Number);
  const pixels = width * height;
  const ratio = Math.max(width / height, height / width);
  const fits = Math.max(width, height) <= 3840 && pixels >= 655_360 && pixels <= 8_294_400 && ratio <= 3;
  return fits && width % 16 === 0 && height % 16 === 0;
}

/** @returns the message and the code of the error that the API responds with */
export async function findImageProblem({
  fields,
  files,
  is_edit,
}: ImageRequest): Promise<[message: string, code: string] | null> {
  const model = String(fields['model']);
  const rules = MODELS[model];
  if (!rules && model.startsWith('gpt-image-2')) return [`The model '${model}' does not exist.`, 'model_not_found'];
  for (const [name, value] of Object.entries(fields)) {
    const isValid = (rules ?? COMMON)[name];
    if (!isValid) return [`Unknown parameter: '${name}'.`, 'unknown_parameter'];
    if (!isValid(value)) return [`Invalid value for '${name}'.`, 'invalid_value'];
  }
  if (!isText(fields['prompt'])) return ["Missing required parameter: 'prompt'.", 'missing_required_parameter'];
  if (model === 'gpt-image-2' && fields['background'] === 'transparent')
    return ['Transparent background is not supported for this model.', 'invalid_value'];
  if (is_edit && files.length === 0) return ["Missing required parameter: 'image'.", 'missing_required_parameter'];
  const mask = files.find(({ field }) => field === 'mask');
  const maskProblem = mask && (await findMaskProblem(mask.bytes, files.find(({ field }) => field !== 'mask')?.bytes));
  if (maskProblem) return [maskProblem, 'invalid_image_file'];
  if (files.filter((file) => file !== mask).length > 16)
    return ["Invalid value for 'image': at most 16 images.", 'invalid_value'];
  const isSupported = files.every(
    ({ mime_type, bytes }) => /^image\/(png|jpeg|webp)$/.test(mime_type) && bytes.length < 50_000_000,
  );
  return isSupported ? null : ["Invalid file 'image': unsupported mimetype.", 'unsupported_file_mimetype'];
}

/** Output tokens of a square image. */
const OUTPUT_TOKENS: Record<string, Record<string, number>> = {
  'gpt-image-2': { low: 196, medium: 1756, high: 7024 },
  'gpt-image-2.5-flare': { low: 196, medium: 439, high: 1756, xhigh: 3122, max: 7024 },
};

/** `usage` of the response: four characters are a token, and an image is a thousand. */
export function imageUsageOf({ fields, files }: Omit<ImageRequest, 'is_edit'>, quality: string) {
  const text_tokens = Math.ceil(String(fields['prompt']).length / 4);
  const image_tokens = 1000 * files.length;
  const input_tokens = text_tokens + image_tokens;
  const output_tokens = OUTPUT_TOKENS[String(fields['model'])]?.[quality] ?? 0;
  return {
    input_tokens,
    input_tokens_details: { text_tokens, image_tokens },
    output_tokens,
    output_tokens_details: { text_tokens: 0, image_tokens: output_tokens },
    total_tokens: input_tokens + output_tokens,
  };
}

/** “Edit image” of the API reference: a PNG with an alpha channel and the size of the first image. */
const MASK_PROBLEMS: Readonly<Record<MaskFault, string>> = {
  unreadable: 'Invalid mask image format - mask image missing alpha channel.',
  size: 'Invalid mask image format - mask size does not match image.',
  polarity: 'Invalid mask image format - mask image is not transparent where the image should change.',
};

async function findMaskProblem(mask: Buffer, image: Buffer | undefined): Promise<string | null> {
  const read = await sharp(mask)
    .metadata()
    .catch(() => null);
  const isRead = read?.format === 'png' && read.hasAlpha;
  const fault = isRead ? await findMaskFault(mask, image, 'transparent') : 'unreadable';
  return fault && MASK_PROBLEMS[fault];
}
