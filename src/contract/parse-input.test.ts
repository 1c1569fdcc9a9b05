import { describe, expect, test } from 'vitest';
import { inputContract, modelsOf } from './catalog.ts';
import { type ModelId, type TaskId, TASK_IDS } from './ids.ts';
import { parseInput } from './parse-input.ts';
import type { ReferencesField } from './task.ts';

type Input = Record<string, unknown>;
const media = { url: 'https://example.com/a' };
const many = (count: number) => Array.from({ length: count }, () => media);
const pairs = TASK_IDS.flatMap((task): [TaskId, ModelId | null][] =>
  (modelsOf(task).length ? modelsOf(task) : [null]).map((model) => [task, model]),
);

function contractOf(task: TaskId, model: ModelId | null) {
  const contract = inputContract(task, model);
  if (!contract) throw new Error(`no contract for ${task} ${model}`);
  return contract;
}
const parse = (task: TaskId, model: ModelId | null, input: unknown) => parseInput(contractOf(task, model), input, null);
function refused(task: TaskId, model: ModelId | null, input: unknown): string[] {
  const result = parse(task, model, input);
  return result.ok ? [] : result.details.map(({ path }) => path);
}

const required: Record<TaskId, Input> = {
  'image.create': { prompt: 'abc' },
  'image.edit': { prompt: 'abc', images: many(1) },
  'video.create': { prompt: 'abc' },
  'video.edit': { prompt: 'abc', video: media },
  'video.lipsync': { video: media, audio: media },
  'video.trim': { video: media, end_seconds: 1 },
  'video.concat': { videos: many(2) },
  'video.extract_frame': { video: media },
  'video.split_scenes': { video: media },
  'video.extract_audio': { video: media },
  'video.add_audio': { video: media, audio: media },
  'social.search': { platform: 'social_a', query: 'x' },
};

// Spec: Task contracts (Default)
const a2 = { aspect_ratio: 'auto', resolution: '1K', background: null };
const a25 = { quality: 'low', size: '1024x1024' };
const b = { aspect_ratio: 'auto', resolution: '1K', output_format: 'png' };
const d5 = { aspect_ratio: '1:1', resolution: '1K', output_format: 'png' };
const omni = { aspect_ratio: '9:16', duration_seconds: 4, reference_video: null, seed: null };
const vid = {
  aspect_ratio: '9:16',
  duration_seconds: 8,
  resolution: '720p',
  generate_audio: true,
  first_frame: null,
  last_frame: null,
};
const imageDefaults: Record<string, Input> = {
  'imgmodel-a-2': a2,
  'imgmodel-a-2.5-flare': a25,
  'imgmodel-a-2.5-sunburst': a25,
  'imgmodel-b-2': b,
  'imgmodel-b-2-lite': { aspect_ratio: 'auto', resolution: '1K' },
  'imgmodel-b-pro': b,
  'imgmodel-d-5-pro': d5,
};
const taskDefaults: Partial<Record<TaskId, Input>> = {
  'video.edit': { video: { ...media, role: null }, resolution: '720p', generate_audio: true },
  'video.lipsync': { sync_mode: 'cut_off' },
  'video.trim': { start_seconds: 0 },
  'video.extract_frame': { format: 'jpg', timestamp_seconds: 0 },
  'video.split_scenes': { video: { ...media, role: null }, threshold: 20, minimum_scene_length_seconds: 0 },
  'video.extract_audio': { format: 'mp3', bitrate: '192k' },
  'video.add_audio': { mode: 'replace', audio_volume: 1, original_audio_volume: null },
  'social.search': {
    limit: 20,
    media_type: 'video',
    sort: 'relevance',
    min_views: null,
    max_duration_seconds: null,
    published_after: null,
  },
};
const defaultsOf = (task: TaskId, model: ModelId | null) => {
  if (task === 'image.create' || task === 'image.edit') return imageDefaults[model ?? ''];
  if (task === 'video.create') return model?.startsWith('omni') ? omni : vid;
  return taskDefaults[task] ?? {};
};

describe.each(pairs)('%s %s', (task, model) => {
  const minimal = required[task];

  test('fills in its defaults', () => {
    expect(parse(task, model, minimal)).toEqual({ ok: true, input: { ...minimal, ...defaultsOf(task, model) } });
  });

  test('requires what it requires and refuses what it does not know, at every depth', () => {
    for (const name of Object.keys(minimal)) {
      const { [name]: _, ...rest } = minimal;
      expect(refused(task, model, rest)).toEqual([`input.${name}`]);
    }
    expect(refused(task, model, { ...minimal, surprise: 1 })).toEqual(['input.surprise']);
    for (const field of contractOf(task, model).fields) {
      const odd = { ...media, surprise: 1 };
      if (field.kind === 'reference')
        expect(refused(task, model, { ...minimal, [field.name]: odd })).toEqual([`input.${field.name}.surprise`]);
      if (field.kind === 'references')
        expect(refused(task, model, { ...minimal, [field.name]: [...many(1), odd] })).toEqual([
          `input.${field.name}.1.surprise`,
        ]);
    }
  });

  test('takes null only where the interface says so, and a role only where there is one', () => {
    const nullable = contractOf(task, model)
      .fields.filter(({ name }) => refused(task, model, { ...minimal, [name]: null }).length === 0)
      .map(({ name }) => name);
    const known = ['background', 'reference_video', 'seed', 'first_frame', 'last_frame', 'original_audio_volume'];
    const optional = [...known, 'min_views', 'max_duration_seconds', 'published_after'];
    expect(nullable).toEqual(
      contractOf(task, model)
        .fields.map(({ name }) => name)
        .filter((n) => optional.includes(n)),
    );
    for (const field of contractOf(task, model).fields) {
      if (field.kind !== 'reference') continue;
      const takesRole = refused(task, model, { ...minimal, [field.name]: { ...media, role: 'hero' } }).length === 0;
      const isMedia = field.name === 'reference_video' || ['video.edit', 'video.split_scenes'].includes(task);
      expect(takesRole).toBe(isMedia);
    }
  });

  test('takes every option and no other', () => {
    for (const field of contractOf(task, model).fields) {
      if (field.kind !== 'choice') continue;
      for (const option of [...field.options, 'nothing']) {
        const wide = contractOf(task, model).fields.some(({ name }) => name === 'aspect_ratio')
          ? { aspect_ratio: '16:9' }
          : {};
        const paths = refused(task, model, { ...minimal, ...wide, [field.name]: option });
        expect(paths.includes(`input.${field.name}`)).toBe(option === 'nothing');
      }
    }
  });
});

// Spec: Task contracts (bounds): last accepted and first refused value on either side
test.each<[TaskId, ModelId | null, string, unknown[], unknown[]]>([
  [
    'image.create',
    'imgmodel-a-2',
    'prompt',
    ['x'.repeat(32_000), '😀'.repeat(32_000)],
    ['', ' \n', 'x'.repeat(32_001)],
  ],
  ['image.create', 'imgmodel-a-2.5-flare', 'prompt', ['x'.repeat(32_000)], ['x'.repeat(32_001)]],
  ['image.create', 'imgmodel-b-2', 'prompt', ['x'.repeat(20_000)], ['x'.repeat(20_001)]],
  ['image.create', 'imgmodel-b-2-lite', 'prompt', ['x'.repeat(20_000)], ['x'.repeat(20_001)]],
  ['image.create', 'imgmodel-b-pro', 'prompt', ['x'.repeat(10_000)], ['x'.repeat(10_001)]],
  ['image.create', 'imgmodel-d-5-pro', 'prompt', ['xyz', 'x'.repeat(5_000)], ['xy', 'x'.repeat(5_001)]],
  ['video.create', 'omni-video', 'prompt', ['x'.repeat(100_000)], ['', 7]],
  ['video.create', 'vidmodel-c-2', 'prompt', ['xyz', 'x'.repeat(20_000)], ['xy', 'x'.repeat(20_001)]],
  ['video.create', 'vidmodel-c-2.5', 'prompt', ['x', 'x'.repeat(30_000)], ['', 'x'.repeat(30_001)]],
  ['video.create', 'omni-video', 'duration_seconds', [4, 6, 8], [5, '4', 10]],
  ['video.create', 'vidmodel-c-2-fast', 'duration_seconds', [4, 15], [3, 16, 4.5, '8', Infinity]],
  ['video.create', 'vidmodel-c-2.5', 'duration_seconds', [4, 30], [3, 31]],
  ['video.create', 'omni-video', 'seed', [0, 2_147_483_647, null], [-1, 2_147_483_648, 1.5]],
  ['video.create', 'vidmodel-c-2-mini', 'resolution', ['480p', '720p'], ['1080p', '4K']],
  ['video.create', 'vidmodel-c-2', 'resolution', ['1080p', '4K'], ['2K']],
  ['video.edit', 'vidmodel-c-2.5', 'reference_videos', [[], many(9)], [many(10)]],
  ['video.edit', 'vidmodel-c-2.5', 'reference_images', [many(30)], [many(31)]],
  ['video.edit', 'vidmodel-c-2.5', 'reference_audio', [many(10)], [many(11)]],
  ['video.concat', null, 'videos', [many(2), many(8)], [[], many(1), many(9)]],
  ['video.add_audio', null, 'audio_volume', [0, 2], [-0.1, 2.1, null]],
  ['video.add_audio', null, 'original_audio_volume', [0, 2, null], [-0.1, 2.1]],
  ['video.trim', null, 'end_seconds', [0, 1e9], [-1, '3', null]],
  ['video.trim', null, 'start_seconds', [0, 0.04], [-0.01]],
  ['video.extract_frame', null, 'timestamp_seconds', [0, 12.345], [-1]],
  ['video.split_scenes', null, 'threshold', [1, 100, 27.5], [0.9, 100.1]],
  ['video.split_scenes', null, 'minimum_scene_length_seconds', [0, 60], [-1, 60.1]],
  ['social.search', null, 'query', ['x', 'x'.repeat(500)], ['', 'x'.repeat(501)]],
  ['social.search', null, 'limit', [1, 50], [0, 51, 1.5]],
  ['social.search', null, 'min_views', [0, null], [-1, 0.5]],
  ['social.search', null, 'max_duration_seconds', [0.1, 600, null], [0, 600.1]],
  [
    'social.search',
    null,
    'published_after',
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00+02:00'],
    ['2026-01-31', 'x'],
  ],
])('%s %s bounds %s', (task, model, name, accepted, rejected) => {
  for (const value of accepted) expect(refused(task, model, { ...required[task], [name]: value })).toEqual([]);
  for (const value of rejected)
    expect(refused(task, model, { ...required[task], [name]: value })).toEqual([`input.${name}`]);
});

// Spec: Task contracts (reference counts)
test.each<[TaskId, ModelId, string, number]>([
  ['image.create', 'imgmodel-a-2', 'reference_images', 16],
  ['image.create', 'imgmodel-a-2.5-sunburst', 'reference_images', 16],
  ['image.create', 'imgmodel-b-2', 'reference_images', 14],
  ['image.create', 'imgmodel-b-2-lite', 'reference_images', 10],
  ['image.create', 'imgmodel-b-pro', 'reference_images', 8],
  ['image.create', 'imgmodel-d-5-pro', 'reference_images', 10],
  ['image.edit', 'imgmodel-a-2', 'images', 16],
  ['image.edit', 'imgmodel-b-pro', 'images', 8],
  ['video.create', 'omni-video-flash', 'reference_images', 7],
  ['video.create', 'vidmodel-c-2', 'reference_images', 9],
  ['video.create', 'vidmodel-c-2', 'reference_videos', 3],
  ['video.create', 'vidmodel-c-2', 'reference_audio', 3],
  ['video.create', 'vidmodel-c-2.5', 'reference_images', 30],
  ['video.create', 'vidmodel-c-2.5', 'reference_videos', 10],
  ['video.create', 'vidmodel-c-2.5', 'reference_audio', 10],
])('%s %s takes %s up to %i', (task, model, name, max) => {
  expect(refused(task, model, { ...required[task], [name]: many(max) })).toEqual([]);
  expect(refused(task, model, { ...required[task], [name]: many(max + 1) })).toEqual([`input.${name}`]);
  const field = contractOf(task, model).fields.find((field): field is ReferencesField => field.name === name);
  expect(field?.max_items).toBe(max);
});

describe('combination rules', () => {
  const draw = (input: Input) => refused('image.create', 'imgmodel-a-2', { prompt: 'x', ...input });

  test.each(['auto', '5:4', '4:5', '3:1', '1:3', '9:21'])('%s needs 1K', (aspect_ratio) => {
    expect(draw({ aspect_ratio, resolution: '1K' })).toEqual([]);
    expect(draw({ aspect_ratio, resolution: '2K' })).toEqual(['input.resolution']);
    expect(draw({ aspect_ratio, resolution: '4K' })).toEqual(['input.resolution']);
  });

  test('1:1 takes 1K and 2K, other ratios all three', () => {
    expect(draw({ aspect_ratio: '1:1', resolution: '2K' })).toEqual([]);
    expect(draw({ aspect_ratio: '1:1', resolution: '4K' })).toEqual(['input.resolution']);
    expect(draw({ aspect_ratio: '16:9', resolution: '4K' })).toEqual([]);
  });

  test('a background needs 1K, also in edits', () => {
    for (const background of ['transparent', 'opaque', 'auto']) {
      expect(draw({ aspect_ratio: '16:9', resolution: '2K', background })).toEqual(['input.resolution']);
      expect(draw({ aspect_ratio: '16:9', resolution: '1K', background })).toEqual([]);
    }
    const edit = { prompt: 'x', images: many(1), aspect_ratio: '16:9', resolution: '2K', background: 'auto' };
    expect(refused('image.edit', 'imgmodel-a-2', edit)).toEqual(['input.resolution']);
  });

  test('a reference video leaves room for 5 reference images', () => {
    const film = (images: number) => ({ prompt: 'x', reference_video: media, reference_images: many(images) });
    expect(refused('video.create', 'omni-video', film(5))).toEqual([]);
    expect(refused('video.create', 'omni-video', film(6))).toEqual(['input.reference_images']);
  });

  test('carousels are on social_a alone', () => {
    const search = (platform: string) => ({ platform, query: 'x', media_type: 'carousel' });
    expect(refused('social.search', null, search('social_a'))).toEqual([]);
    expect(refused('social.search', null, search('social_b_reels'))).toEqual(['input.media_type']);
    expect(refused('social.search', null, search('social_c_shorts'))).toEqual(['input.media_type']);
  });
});

test.each<[unknown]>([[null], ['x'], [[]], [1]])('an input that is %j names the input', (input) => {
  const result = parse('image.create', 'imgmodel-b-2', input);
  expect(result).toEqual({ ok: false, details: [{ path: 'input', message: 'Input must be an object.' }] });
});

test('each problem is a sentence that names the field as the form does', () => {
  expect(parse('video.create', 'vidmodel-c-2', { duration_seconds: 99, aspect_ratio: '2:1', first_frame: {} })).toEqual(
    {
      ok: false,
      details: [
        { path: 'input.prompt', message: 'Prompt is required.' },
        {
          path: 'input.aspect_ratio',
          message: 'Aspect ratio must be one of 16:9, 9:16, 4:3, 3:4, 1:1, 21:9, adaptive.',
        },
        { path: 'input.duration_seconds', message: 'Length must be at most 15.' },
        { path: 'input.first_frame.url', message: 'Url is required.' },
      ],
    },
  );
});
