import { describe, expect, test } from 'vitest';
import { modelsForTask } from './catalog.ts';
import { type BuiltInTaskId, type ModelId, BUILT_IN_TASK_IDS } from './ids.ts';
import {
  type TaskInput,
  requireContract,
  repeatReference,
  sampleReference,
  parseTaskInput,
  rejectedPaths,
  minimalInputs,
} from './testing/input-fixture.ts';

const pairs = BUILT_IN_TASK_IDS.flatMap((task): [BuiltInTaskId, ModelId | null][] =>
  (modelsForTask(task).length ? modelsForTask(task) : [null]).map((model) => [task, model]),
);

// Spec: Task contracts
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
const imageDefaults: Record<string, TaskInput> = {
  'imgmodel-a-2': a2,
  'imgmodel-a-2.5-flare': a25,
  'imgmodel-a-2.5-sunburst': a25,
  'imgmodel-b-2': b,
  'imgmodel-b-2-lite': { aspect_ratio: 'auto', resolution: '1K' },
  'imgmodel-b-pro': b,
  'imgmodel-d-5-pro': d5,
};
const taskDefaults: Partial<Record<BuiltInTaskId, TaskInput>> = {
  'video.edit': { video: { ...sampleReference, role: null }, resolution: '720p', generate_audio: true },
  'video.lipsync': { sync_mode: 'cut_off' },
  'video.trim': { start_seconds: 0 },
  'video.extract_frame': { format: 'jpg', timestamp_seconds: 0 },
  'video.split_scenes': { video: { ...sampleReference, role: null }, threshold: 20, minimum_scene_length_seconds: 0 },
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
const defaultsOf = (task: BuiltInTaskId, model: ModelId | null) => {
  if (task === 'image.create') return imageDefaults[model ?? ''];
  // The mask is an addition. Decision: Masks
  if (task === 'image.edit') return { ...imageDefaults[model ?? ''], mask: null };
  if (task === 'video.create') return model?.startsWith('omni') ? omni : vid;
  return taskDefaults[task] ?? {};
};

describe.each(pairs)('%s %s', (task, model) => {
  const minimal = minimalInputs[task];

  test('fills in defaults', () => {
    expect(parseTaskInput(task, model, minimal)).toEqual({
      ok: true,
      input: { ...minimal, ...defaultsOf(task, model) },
    });
  });

  test('rejects missing and unknown fields at every depth', () => {
    for (const name of Object.keys(minimal)) {
      const { [name]: _, ...rest } = minimal;
      expect(rejectedPaths(task, model, rest)).toEqual([`input.${name}`]);
    }
    expect(rejectedPaths(task, model, { ...minimal, surprise: 1 })).toEqual(['input.surprise']);
    for (const field of requireContract(task, model).fields) {
      const odd = { ...sampleReference, surprise: 1 };
      if (field.kind === 'reference')
        expect(rejectedPaths(task, model, { ...minimal, [field.name]: odd })).toEqual([`input.${field.name}.surprise`]);
      if (field.kind === 'references')
        expect(rejectedPaths(task, model, { ...minimal, [field.name]: [...repeatReference(1), odd] })).toEqual([
          `input.${field.name}.1.surprise`,
        ]);
    }
  });

  test('accepts null and roles only in the fields that have them', () => {
    const nullable = requireContract(task, model)
      .fields.filter(({ name }) => rejectedPaths(task, model, { ...minimal, [name]: null }).length === 0)
      .map(({ name }) => name);
    const known = ['background', 'reference_video', 'seed', 'first_frame', 'last_frame', 'original_audio_volume'];
    const optional = [...known, 'mask', 'min_views', 'max_duration_seconds', 'published_after'];
    expect(nullable).toEqual(
      requireContract(task, model)
        .fields.map(({ name }) => name)
        .filter((n) => optional.includes(n)),
    );
    for (const field of requireContract(task, model).fields) {
      if (field.kind !== 'reference') continue;
      const takesRole =
        rejectedPaths(task, model, { ...minimal, [field.name]: { ...sampleReference, role: 'hero' } }).length === 0;
      const isMedia = field.name === 'reference_video' || ['video.edit', 'video.split_scenes'].includes(task);
      expect(takesRole).toBe(isMedia);
    }
  });

  test('accepts every option and no other value', () => {
    for (const field of requireContract(task, model).fields) {
      if (field.kind !== 'choice') continue;
      for (const option of [...field.options, 'nothing']) {
        const wide = requireContract(task, model).fields.some(({ name }) => name === 'aspect_ratio')
          ? { aspect_ratio: '16:9' }
          : {};
        const paths = rejectedPaths(task, model, { ...minimal, ...wide, [field.name]: option });
        expect(paths.includes(`input.${field.name}`)).toBe(option === 'nothing');
      }
    }
  });
});

test.each<[unknown]>([[null], ['x'], [[]], [1]])('reports the path of the input for %j', (input) => {
  const result = parseTaskInput('image.create', 'imgmodel-b-2', input);
  expect(result).toEqual({ ok: false, details: [{ path: 'input', message: 'Input must be an object.' }] });
});

test('each problem is a sentence with the label of the field', () => {
  expect(
    parseTaskInput('video.create', 'vidmodel-c-2', { duration_seconds: 99, aspect_ratio: '2:1', first_frame: {} }),
  ).toEqual({
    ok: false,
    details: [
      { path: 'input.prompt', message: 'Prompt is required.' },
      {
        path: 'input.aspect_ratio',
        message: 'Shape must be one of 16:9, 9:16, 4:3, 3:4, 1:1, 21:9, adaptive.',
      },
      { path: 'input.duration_seconds', message: 'Length must be at most 15.' },
      { path: 'input.first_frame.url', message: 'Url is required.' },
    ],
  });
});
