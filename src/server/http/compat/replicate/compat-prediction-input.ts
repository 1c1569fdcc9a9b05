import { isDeepStrictEqual } from 'node:util';
import type { AddedModelVersion } from '#contract/added-models/definition.ts';
import { isJson, type Json } from '#contract/json-value.ts';
import type { TaskId } from '#contract/ids.ts';
import type { NamedModel } from '#server/http/compat/model-names.ts';
import { toSizeFields } from '#server/http/compat/image-size.ts';
import { count, firstOf, isEmpty, only, type ParameterRules } from '#server/http/compat/parameter-rules.ts';
import { refuseParameter } from '#server/http/compat/compat-input.ts';
import { inputJsonSchema } from '#server/models/catalog/describe-task.ts';
import { GPT_IMAGE_2_SIZES } from '#server/models/providers/replicate/gpt-image.ts';

const IMAGES = firstOf('images', 'reference_images');

const COUNT = count('A prediction makes one image here. Create several predictions.');

/** What clients always send, also to models whose schema has no such parameter. */
export const COMMON_RULES: ParameterRules = {
  num_outputs: COUNT,
  num_images: COUNT,
  number_of_images: COUNT,
  disable_safety_checker: only('The safety checker can’t be turned off here.', false),
};

/** Replicate’s names of what built-in models take, beside those that are ours too. */
export const REPLICATE_RULES: ParameterRules = {
  ...COMMON_RULES,
  input_images: IMAGES,
  image_input: IMAGES,
  image: firstOf('first_frame', 'images', 'reference_images'),
  last_frame_image: firstOf('last_frame'),
  reference_audios: firstOf('reference_audio'),
  duration: (value) =>
    value === -1 ? 'duration must be named here: the price depends on it.' : { duration_seconds: value },
  size: (value, contract) =>
    /^\d+x\d+$/.test(String(value)) ? toSizeFields(value, contract) : firstOf('resolution')(value, contract),
  aspect_ratio: firstOf('size'),
  quality: only('quality is always medium for this model here.', 'medium'),
  output_format: only('output_format is always png for this model here.', 'png'),
  background: only('background can’t be chosen for this model here.', 'auto'),
  moderation: only('moderation is that of the provider.', 'auto'),
  max_images: only('A prediction makes one image here. Create several predictions.', 1),
  sequential_image_generation: only('A prediction makes one image here. Create several predictions.', 'disabled'),
  allow_fallback_model: only('The model that is named and priced is the one that runs.', false),
  seed: () => 'seed can’t be chosen: the service uses it to find its own orders at the provider.',
};

/** Parameters that bring what is edited. */
const SOURCES: Partial<Record<TaskId, readonly string[]>> = {
  'image.edit': ['images', 'input_images', 'image_input', 'image'],
  'video.edit': ['video'],
};

/** The task of a model that an input asks for: an edit if it brings what is edited, otherwise the first. */
export const chooseTask = (entries: readonly [NamedModel, ...NamedModel[]], input: Json): NamedModel =>
  entries.find(({ task }) => SOURCES[task]?.some((name) => !isEmpty(input[name]))) ?? entries[0];

/** The values of an input as `toTaskInput` takes them. @throws {ApiError} 422 that names a parameter */
export function translateValues({ model }: NamedModel, added: AddedModelVersion | null, input: Json): Json {
  if (added) return omitConstants(added, input);
  return model === 'imgmodel-a-2' ? splitSize(input) : input;
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

/** Of an added model: constants of its schema are what they are. */
const omitConstants = ({ normalized: { hidden } }: AddedModelVersion, input: Json): Json =>
  Object.fromEntries(
    Object.entries(input).filter(([name, value]) => {
      if (!Object.hasOwn(hidden, name)) return true;
      if (isEmpty(value) || isDeepStrictEqual(value, hidden[name])) return false;
      return refuseParameter(name, `${name} is always ${JSON.stringify(hidden[name])} here.`);
    }),
  );

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
