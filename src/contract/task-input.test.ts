import { describe, expect, expectTypeOf, test } from 'vitest';
import { modelsForTask } from './catalog.ts';
import type { BuiltInTaskId, ModelId } from './ids.ts';
import type { InputOf, ModelOf } from './task-input.ts';
import { minimalInputs, parseTaskInput, repeatReference, sampleReference } from './testing/input-fixture.ts';

const sourceWithRole = { ...sampleReference, role: null };
const imgmodelA25 = { prompt: 'abc', quality: 'low', size: '1024x1024' } as const;
const imgmodelB = { prompt: 'abc', aspect_ratio: 'auto', resolution: '1K', output_format: 'png' } as const;
const imageInputs = {
  'imgmodel-a-2': { prompt: 'abc', aspect_ratio: 'auto', resolution: '1K', background: null },
  'imgmodel-a-2.5-flare': imgmodelA25,
  'imgmodel-a-2.5-sunburst': imgmodelA25,
  'imgmodel-b-2': imgmodelB,
  'imgmodel-b-2-lite': { prompt: 'abc', aspect_ratio: 'auto', resolution: '1K' },
  'imgmodel-b-pro': imgmodelB,
  'imgmodel-d-5-pro': { ...imgmodelB, aspect_ratio: '1:1' },
} as const satisfies { [Model in ModelOf<'image.create'>]: InputOf<'image.create', Model> };
const images = repeatReference(1);
const omniVideo = {
  prompt: 'abc',
  aspect_ratio: '9:16',
  duration_seconds: 4,
  reference_video: null,
  seed: null,
} as const;
const vidmodel = {
  prompt: 'abc',
  aspect_ratio: '9:16',
  duration_seconds: 8,
  resolution: '720p',
  generate_audio: true,
  first_frame: null,
  last_frame: null,
} as const;

/** What each minimal input is parsed to. The compiler checks these against the derived types, the test against the parser. */
const parsedInputs: {
  [Task in BuiltInTaskId]: ModelOf<Task> extends ModelId
    ? { [Model in ModelOf<Task>]: InputOf<Task, Model> }
    : InputOf<Task, null>;
} = {
  'image.create': imageInputs,
  'image.edit': {
    'imgmodel-a-2': { ...imageInputs['imgmodel-a-2'], images, mask: null },
    'imgmodel-a-2.5-flare': { ...imgmodelA25, images, mask: null },
    'imgmodel-a-2.5-sunburst': { ...imgmodelA25, images, mask: null },
    'imgmodel-b-2': { ...imgmodelB, images, mask: null },
    'imgmodel-b-2-lite': { ...imageInputs['imgmodel-b-2-lite'], images, mask: null },
    'imgmodel-b-pro': { ...imgmodelB, images, mask: null },
    'imgmodel-d-5-pro': { ...imageInputs['imgmodel-d-5-pro'], images, mask: null },
  },
  'video.create': {
    'omni-video': omniVideo,
    'omni-video-flash': omniVideo,
    'vidmodel-c-2': vidmodel,
    'vidmodel-c-2-fast': vidmodel,
    'vidmodel-c-2-mini': vidmodel,
    'vidmodel-c-2.5': vidmodel,
  },
  'video.edit': {
    'vidmodel-c-2.5': { prompt: 'abc', video: sourceWithRole, resolution: '720p', generate_audio: true },
  },
  'video.lipsync': { 'lipsync-v3': { video: sampleReference, audio: sampleReference, sync_mode: 'cut_off' } },
  'video.trim': { video: sampleReference, start_seconds: 0, end_seconds: 1 },
  'video.concat': { videos: repeatReference(2) },
  'video.extract_frame': { video: sampleReference, timestamp_seconds: 0, format: 'jpg' },
  'video.split_scenes': { video: sourceWithRole, threshold: 20, minimum_scene_length_seconds: 0 },
  'video.extract_audio': { video: sampleReference, format: 'mp3', bitrate: '192k' },
  'video.add_audio': {
    video: sampleReference,
    audio: sampleReference,
    mode: 'replace',
    audio_volume: 1,
    original_audio_volume: null,
  },
  'social.search': {
    platform: 'social_a',
    query: 'x',
    media_type: 'video',
    sort: 'relevance',
    limit: 20,
    min_views: null,
    max_duration_seconds: null,
    published_after: null,
  },
};

const cases = Object.entries(parsedInputs).flatMap(([id, parsed]): [BuiltInTaskId, ModelId | null, unknown][] => {
  const task = id as BuiltInTaskId;
  const models = modelsForTask(task);
  if (models.length === 0) return [[task, null, parsed]];
  return models.map((model) => [task, model, (parsed as Record<string, unknown>)[model]]);
});

test.each(cases)('the type of %s on %s describes its parsed input', (task, model, input) => {
  expect(parseTaskInput(task, model, minimalInputs[task])).toEqual({ ok: true, input });
});

describe('InputOf', () => {
  test('differs between the models of a task', () => {
    expectTypeOf<InputOf<'video.create', 'omni-video'>['duration_seconds']>().toEqualTypeOf<4 | 6 | 8>();
    expectTypeOf<InputOf<'video.create', 'vidmodel-c-2.5'>['resolution']>().toEqualTypeOf<'480p' | '720p' | '1080p'>();
    expectTypeOf<InputOf<'image.edit', 'imgmodel-b-2-lite'>['resolution']>().toEqualTypeOf<'1K'>();
  });

  test('reads a field that only some models have as undefined for the others', () => {
    expectTypeOf<InputOf<'video.create'>['seed']>().toEqualTypeOf<number | null | undefined>();
    expectTypeOf<InputOf<'video.create'>['duration_seconds']>().toEqualTypeOf<number>();
  });

  test('follows required, default and nullable of a field', () => {
    expectTypeOf<InputOf<'video.create', 'vidmodel-c-2'>['reference_videos']>().toEqualTypeOf<
      { url: string; role: string | null }[] | undefined
    >();
    expectTypeOf<InputOf<'video.trim'>['end_seconds']>().toEqualTypeOf<number>();
    expectTypeOf<InputOf<'video.add_audio'>['original_audio_volume']>().toEqualTypeOf<number | null>();
    expectTypeOf<InputOf<'image.create', 'imgmodel-a-2'>['reference_images']>().toEqualTypeOf<
      { url: string }[] | undefined
    >();
    expectTypeOf<InputOf<'image.edit'>['images']>().toEqualTypeOf<{ url: string }[]>();
  });
});
