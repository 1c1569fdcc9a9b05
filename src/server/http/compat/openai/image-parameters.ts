import { rankMediaField } from '#contract/media-roles.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import type { CompatCall } from '../compat-adapter.ts';
import { firstOf, hasField, isEmpty, only, type ParameterRules } from '../parameter-rules.ts';
import { refuseParameter } from '../compat-input.ts';
import { toSizeFields } from '../image-size.ts';

const findMask = ({ fields }: InputContract): FieldSpec | undefined =>
  fields.find((field) => field.kind === 'reference' && field.mask);

/** What parameters of the Images API mean for a model without a field of that name. */
export const IMAGE_RULES: ParameterRules = {
  size: toSizeFields,
  n: firstOf('num_images'),
  quality: only('This model has one quality. Leave quality out, or send auto.', 'auto', 'standard'),
  background: only('This model has no choice of background. Leave background out, or send auto.', 'auto', 'opaque'),
  output_format: only('This model has no choice of format. Leave output_format out, or send png.', 'png'),
  output_compression: only('Files are not compressed further. Leave output_compression out, or send 100.', 100),
  style: only('This model has no choice of style. Describe it in the prompt.', 'vivid'),
  moderation: only('Filters can’t be changed. Leave moderation out, or send auto.', 'auto'),
  stream: only('Images are not streamed. Leave stream out.', false),
  partial_images: only('Images are not streamed. Leave partial_images out.', 0),
};

/** Those of an edit, in addition. */
export const EDIT_RULES: ParameterRules = {
  ...IMAGE_RULES,
  input_fidelity: only('This model has one fidelity. Leave input_fidelity out, or send low.', 'low'),
  image: (value, contract) => {
    const field = findImageField(contract);
    return field ? { [field.name]: value } : 'This model takes no image.';
  },
  mask: (value, contract) => {
    const field = findMask(contract);
    return field ? { [field.name]: value } : 'This model takes no mask. Describe in the prompt what to change.';
  },
};

/** The value of the parameter `image`. @throws {ApiError} 422 */
export function toImageParameter(contract: InputContract, images: readonly string[]): unknown {
  if (findImageField(contract)?.kind !== 'reference') return images;
  return images.length === 1 ? images[0] : refuseParameter('image', 'This model takes one image.');
}

function findImageField({ fields }: InputContract): FieldSpec | undefined {
  const images = fields.filter(
    (field) => (field.kind === 'references' || (field.kind === 'reference' && !field.mask)) && field.media === 'image',
  );
  return images.toSorted((a, b) => rankMediaField(a) - rankMediaField(b))[0];
}

/** Reads `n` of a model that makes one image per order. @throws {ApiError} 422 */
export function readCount(n: unknown): number {
  if (isEmpty(n)) return 1;
  const count = typeof n === 'string' ? Number(n) : n;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= 10) return count;
  return refuseParameter('n', 'n must be a whole number from 1 to 10.');
}

/** Whether a field of the model says how many images it makes. */
export const hasCountField = (contract: InputContract): boolean =>
  hasField(contract, 'n') || hasField(contract, 'num_images');

/** GPT Image models respond with the files by default, as at OpenAI. @throws {ApiError} 422 */
export function readResponseFormat(value: unknown, model: unknown): 'url' | 'b64_json' {
  if (value === 'url' || value === 'b64_json') return value;
  if (!isEmpty(value)) return refuseParameter('response_format', 'response_format must be url or b64_json.');
  return /^(gpt|chatgpt)-image\b/.test(String(model)) ? 'b64_json' : 'url';
}

const MAX_USER_CHARACTERS = 500;

/** Adds the end user of the request to the metadata of an order; null: neither. @throws {ApiError} 422 */
export function readUser(
  safetyIdentifier: unknown,
  user: unknown,
  metadata: CompatCall['metadata'],
): CompatCall['metadata'] {
  for (const [name, value] of Object.entries({ safety_identifier: safetyIdentifier, user })) {
    if (isEmpty(value)) continue;
    if (typeof value === 'string' && value.length <= MAX_USER_CHARACTERS) return { user: value, ...metadata };
    refuseParameter(name, `${name} must be a text of at most ${MAX_USER_CHARACTERS} characters.`);
  }
  return metadata;
}
