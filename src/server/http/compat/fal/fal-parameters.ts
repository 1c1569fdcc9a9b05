import type { FieldSpec, InputContract } from '#contract/task.ts';
import type { ParameterRule, ParameterRules } from '#server/http/compat/task-input.ts';

type Values = Readonly<Record<string, unknown>>;

const hasField = (contract: InputContract, name: string): boolean =>
  contract.fields.some((field) => field.name === name);

const makesVideo = (contract: InputContract): boolean => hasField(contract, 'duration_seconds');

/** The value is that of the first of these fields that the model has. */
const firstOf =
  (...names: readonly string[]): ParameterRule =>
  (value, contract) => {
    const name = names.find((each) => hasField(contract, each));
    return name === undefined ? 'This model takes no such file.' : { [name]: value };
  };

/** Asks for what happens anyway with one value; any other is refused. */
const only =
  (accepted: unknown, message: string): ParameterRule =>
  (value) =>
    value === accepted ? {} : message;

/** Like `only`, for models with a field. */
const onlyWith =
  (field: string, accepted: unknown, message: string): ParameterRule =>
  (value, contract) =>
    value === accepted && hasField(contract, field) ? {} : message;

const RATIOS: Readonly<Record<string, string>> = {
  square_hd: '1:1',
  square: '1:1',
  portrait_4_3: '3:4',
  portrait_16_9: '9:16',
  landscape_4_3: '4:3',
  landscape_16_9: '16:9',
};
const SIZES: Readonly<Record<string, string>> = { square_hd: '1024x1024', auto: 'auto' };

const imageSize: ParameterRule = (value, contract) => {
  const { width, height } = Object(value) as { width?: unknown; height?: unknown };
  if (hasField(contract, 'size')) {
    const size = typeof value === 'string' ? SIZES[value] : `${String(width)}x${String(height)}`;
    return size === undefined ? 'Send image_size as {width, height} for this model.' : { size };
  }
  const aspect_ratio = typeof value === 'string' ? (value === 'auto' ? value : RATIOS[value]) : undefined;
  return aspect_ratio === undefined || !hasField(contract, 'aspect_ratio')
    ? 'Send aspect_ratio and resolution instead of image_size for this model.'
    : { aspect_ratio };
};

/** fal writes seconds as numbers, or as texts such as `5` and `5s`. */
const duration: ParameterRule = (value, contract) => {
  if (!hasField(contract, 'duration_seconds'))
    return value === 'auto' ? {} : 'The length of the result is that of the source.';
  const seconds = typeof value === 'string' ? /^(\d+)s?$/.exec(value)?.[1] : value;
  return seconds === undefined ? 'duration must be a number of seconds.' : { duration_seconds: Number(seconds) };
};

/** An edit takes its source first, as fal does. */
const videoUrls: ParameterRule = (value, contract) => {
  if (!hasField(contract, 'video'))
    return firstOf('reference_videos', 'reference_video')(toSingle(value, contract), contract);
  const [video, ...others] = Array.isArray(value) ? (value as unknown[]) : [value];
  return { video, ...(others.length > 0 ? { reference_videos: others } : {}) };
};

/** Some models take one reference video. */
const toSingle = (value: unknown, contract: InputContract): unknown =>
  !hasField(contract, 'reference_videos') && Array.isArray(value) && value.length === 1
    ? (value as unknown[])[0]
    : value;

/** What fal’s endpoints call the fields of built-in models. Everything else is refused by name. */
export const FAL_RULES: ParameterRules = {
  image_urls: firstOf('images', 'reference_images'),
  image_url: firstOf('first_frame', 'images', 'reference_images'),
  end_image_url: firstOf('last_frame'),
  video_url: firstOf('video', 'reference_videos', 'reference_video'),
  video_urls: videoUrls,
  reference_video_urls: (value, contract) =>
    firstOf('reference_videos', 'reference_video')(toSingle(value, contract), contract),
  audio_url: firstOf('audio', 'reference_audio'),
  audio_urls: firstOf('reference_audio', 'audio'),
  duration,
  image_size: imageSize,
  aspect_ratio: onlyWith('video', 'auto', 'The shape of the result can’t be chosen like this for this model.'),
  output_format: (value, contract) =>
    value === 'png' && (hasField(contract, 'size') || hasField(contract, 'aspect_ratio')) && !makesVideo(contract)
      ? {}
      : 'The file format can’t be chosen for this model.',
  sync_mode: only(false, 'Results are links: send sync_mode: false, or leave it out.'),
  enable_safety_checker: only(true, 'The safety checker can’t be turned off here.'),
  enable_web_search: only(false, 'This model does not search the web here.'),
  task: (value, contract) =>
    hasField(contract, 'reference_videos') && value === (hasField(contract, 'video') ? 'editing' : 'reference')
      ? {}
      : 'task must be reference or editing, of a model that has both.',
  resolution: onlyWith('duration_seconds', '720p', 'The resolution can’t be chosen for this model.'),
};

/** Names of the file that an edit changes. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  images: ['images', 'image_urls', 'image_url'],
  video: ['video', 'video_url'],
};

/** Whether the parameters ask for a task that changes a file. */
export const namesSource = ({ fields }: InputContract, parameters: Values): boolean =>
  fields.some(
    ({ name }) =>
      (SOURCES[name] ?? []).some((parameter) => Object.hasOwn(parameters, parameter)) ||
      (name === 'video' && parameters['task'] === 'editing'),
  );

/** Writes options as our fields do: fal has `4k` and `auto` where a field has `4K` and `adaptive`. */
export const spellOptions = ({ fields }: InputContract, parameters: Values): Values =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      spell(
        fields.find((field) => field.name === name),
        value,
      ),
    ]),
  );

function spell(field: FieldSpec | undefined, value: unknown): unknown {
  if (field?.kind !== 'choice' || typeof value !== 'string' || field.options.includes(value)) return value;
  const same = field.options.find((option) => String(option).toLowerCase() === value.toLowerCase());
  return same ?? (value === 'auto' && field.options.includes('adaptive') ? 'adaptive' : value);
}

/** Collects what an added model takes in its field of JSON, which fal’s schema has beside the other fields. */
export function foldJson({ fields }: InputContract, parameters: Values): Values {
  const json = fields.find((field) => field.kind === 'json');
  if (!json || Object.hasOwn(parameters, json.name)) return parameters;
  const isFolded = ([name]: readonly [string, unknown]) => json.keys.includes(name);
  const entries = Object.entries(parameters);
  const folded = Object.fromEntries(entries.filter(isFolded));
  return Object.keys(folded).length === 0
    ? parameters
    : { ...Object.fromEntries(entries.filter((entry) => !isFolded(entry))), [json.name]: folded };
}
