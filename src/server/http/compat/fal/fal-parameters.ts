import type { InputContract } from '#contract/task.ts';
import { toSizeFields } from '#server/http/compat/image-size.ts';
import {
  firstOf,
  hasField,
  isEmpty,
  only,
  type ParameterRule,
  type ParameterRules,
} from '#server/http/compat/parameter-rules.ts';

type Values = Readonly<Record<string, unknown>>;

const makesVideo = (contract: InputContract): boolean => hasField(contract, 'duration_seconds');

/** Asks for what happens anyway with one value, of models with a field; any other is refused. */
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
  if (typeof width === 'number' && typeof height === 'number') return toSizeFields(`${width}x${height}`, contract);
  const aspectRatio = typeof value === 'string' ? (value === 'auto' ? value : RATIOS[value]) : undefined;
  return aspectRatio === undefined || !hasField(contract, 'aspect_ratio')
    ? 'Send aspect_ratio and resolution instead of image_size for this model.'
    : { aspect_ratio: aspectRatio };
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
    // Of speech: a result that is a link.
    value === 'url' ||
    (value === 'png' && (hasField(contract, 'size') || hasField(contract, 'aspect_ratio')) && !makesVideo(contract))
      ? {}
      : 'The file format can’t be chosen for this model.',
  sync_mode: only('Results are links: send sync_mode: false, or leave it out.', false),
  enable_safety_checker: only('The safety checker can’t be turned off here.', true),
  enable_web_search: only('This model does not search the web here.', false),
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
      (SOURCES[name] ?? []).some((parameter) => !isEmpty(parameters[parameter])) ||
      (name === 'video' && parameters['task'] === 'editing'),
  );
