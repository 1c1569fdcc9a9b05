import { isDeepStrictEqual } from 'node:util';
import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import { isJson, type Json } from '#contract/json-value.ts';
import type { TaskId } from '#contract/ids.ts';
import type { FieldSpec, InputContract } from '#contract/task.ts';
import type { NamedModel } from '#server/http/compat/model-names.ts';
import { type ParameterRule, type ParameterRules, refuseParameter } from '#server/http/compat/task-input.ts';
import { inputJsonSchema } from '#server/models/catalog/describe-task.ts';
import { GPT_IMAGE_2_SIZES } from '#server/models/providers/replicate/gpt-image.ts';

const hasField = ({ fields }: InputContract, name: string): boolean => fields.some((field) => field.name === name);

const rename =
  (...names: readonly string[]): ParameterRule =>
  (value, contract) => ({ [names.find((name) => hasField(contract, name)) ?? '']: value });

/** Accepts the values that ask for what happens anyway. */
const only =
  (values: readonly unknown[], message: string): ParameterRule =>
  (value) =>
    values.includes(value) ? {} : message;

const IMAGES = rename('images', 'reference_images');

/** Replicate’s names of what built-in models take, beside those that are ours too. */
export const REPLICATE_RULES: ParameterRules = {
  input_images: IMAGES,
  image_input: IMAGES,
  image: rename('first_frame', 'images', 'reference_images'),
  last_frame_image: rename('last_frame'),
  reference_audios: rename('reference_audio'),
  duration: (value) =>
    value === -1 ? 'duration must be named here: the price depends on it.' : { duration_seconds: value },
  size: rename('resolution'),
  aspect_ratio: rename('size'),
  quality: only(['medium'], 'quality is always medium for this model here.'),
  output_format: only(['png'], 'output_format is always png for this model here.'),
  background: only(['auto'], 'background can’t be chosen for this model here.'),
  moderation: only(['auto'], 'moderation is that of the provider.'),
  number_of_images: only([1], 'A prediction makes one image here. Create several predictions.'),
  max_images: only([1], 'A prediction makes one image here. Create several predictions.'),
  sequential_image_generation: only(['disabled'], 'A prediction makes one image here. Create several predictions.'),
  allow_fallback_model: only([false], 'The model that is named and priced is the one that runs.'),
  seed: () => 'seed can’t be chosen: the service uses it to find its own orders at the provider.',
};

/** Values that Replicate writes in another way. */
const ALIASES: Readonly<Record<string, string>> = { jpg: 'jpeg', match_input_image: 'auto' };

/** Parameters that bring what is edited. */
const SOURCES: Partial<Record<TaskId, readonly string[]>> = {
  'image.edit': ['images', 'input_images', 'image_input', 'image'],
  'video.edit': ['video'],
};

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The task of a model that an input asks for: an edit if it brings what is edited, otherwise the first. */
export const chooseTask = (entries: readonly [NamedModel, ...NamedModel[]], input: Json): NamedModel =>
  entries.find(({ task }) => SOURCES[task]?.some((name) => !isEmpty(input[name]))) ?? entries[0];

/** Writes the values of an input as our fields have them. @throws {ApiError} 422 that names a parameter */
export function translateValues(
  { contract, model }: NamedModel,
  added: AddedModelVersion | null,
  input: Json,
): Record<string, unknown> {
  if (added) return gatherAdvanced(added, input);
  const sized = model === 'imgmodel-a-2' ? splitSize(input) : input;
  const entries = Object.entries(sized).map(([name, value]) => {
    const field = contract.fields.find((each) => each.name === name);
    return [name, field ? toOption(field, value) : value] as const;
  });
  return Object.fromEntries(entries);
}

function toOption(field: FieldSpec, value: unknown): unknown {
  if (field.kind !== 'choice' || typeof value !== 'string' || field.options.includes(value)) return value;
  const wanted = ALIASES[value] ?? value.toLowerCase();
  return field.options.find((option) => String(option).toLowerCase() === wanted) ?? value;
}

/** GPT Image 2 takes sizes in pixels as `aspect_ratio`, where we have a shape and a size. */
function splitSize(input: Json): Json {
  const { aspect_ratio, resolution } = input;
  if (typeof aspect_ratio !== 'string' || !aspect_ratio.includes('x')) return input;
  const known = Object.entries(GPT_IMAGE_2_SIZES).flatMap(([name, sizes]) =>
    Object.entries(sizes).map(([shape, size]) => ({ name, shape, size })),
  );
  const found = known.find(({ size }) => size === aspect_ratio);
  if (!found) return input;
  if (!isEmpty(resolution) && resolution !== found.name)
    refuseParameter('resolution', 'aspect_ratio and resolution say different sizes. Send one of them.');
  return { ...input, aspect_ratio: found.shape, resolution: found.name };
}

/** Of an added model: parameters that no field shows go to its JSON field, and constants are what they are. */
function gatherAdvanced({ normalized: { advanced, hidden } }: AddedModelVersion, input: Json): Record<string, unknown> {
  const collected: Record<string, unknown> = {};
  const rest = Object.entries(input).filter(([name, value]) => {
    if (Object.hasOwn(hidden, name)) {
      if (isEmpty(value) || isDeepStrictEqual(value, hidden[name])) return false;
      refuseParameter(name, `${name} is always ${JSON.stringify(hidden[name])} here.`);
    }
    if (!advanced?.names.includes(name)) return true;
    if (value !== null) collected[name] = value;
    return false;
  });
  const isUsed = advanced && Object.keys(collected).length > 0;
  return { ...Object.fromEntries(rest), ...(isUsed ? { [advanced.field]: collected } : {}) };
}

const isReference = (value: unknown): value is Json & { url: string } =>
  isJson(value) &&
  typeof value['url'] === 'string' &&
  Object.keys(value).every((name) => name === 'url' || name === 'role');

/** An input with addresses in place of our references, without what is not set. */
export function presentInput(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(presentInput);
  if (isReference(value)) return value.url;
  if (!isJson(value)) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(entries.map(([name, each]) => [name, presentInput(each)]));
}

/** The input of all tasks of a model as an OpenAPI schema; files are addresses. */
export function describeInput(entries: readonly NamedModel[]): Json {
  const schemas = entries.map(({ contract }) => flattenReferences(inputJsonSchema(contract, 'openapi-3.0')) as Json);
  const properties = Object.assign({}, ...schemas.map((schema) => schema['properties'])) as Record<string, Json>;
  const [required = [], ...others] = schemas.map((schema) => (schema['required'] ?? []) as readonly string[]);
  return {
    title: 'Input',
    type: 'object',
    required: required.filter((name) => others.every((names) => names.includes(name))),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema], order) => [name, { ...schema, 'x-order': order }]),
    ),
  };
}

function flattenReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(flattenReferences);
  if (!isJson(schema)) return schema;
  const { properties, required: _required, additionalProperties: _closed, ...rest } = schema;
  if (isJson(properties) && isReference({ ...properties, url: isJson(properties['url']) ? '' : undefined }))
    return { ...rest, type: 'string', format: 'uri' };
  return Object.fromEntries(Object.entries(schema).map(([name, each]) => [name, flattenReferences(each)]));
}
