import { describe, expect, test } from 'vitest';
import type { BuiltInTaskId, ModelId } from './ids.ts';
import type { ReferencesFieldSpec } from './task.ts';
import {
  type TaskInput,
  requireContract,
  repeatReference,
  sampleReference,
  rejectedPaths,
  minimalInputs,
} from './testing/input-fixture.ts';

// Spec: Task contracts. The last accepted and the first refused value on either side.
test.each<[BuiltInTaskId, ModelId | null, string, unknown[], unknown[]]>([
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
  ['video.edit', 'vidmodel-c-2.5', 'reference_videos', [[], repeatReference(9)], [repeatReference(10)]],
  ['video.edit', 'vidmodel-c-2.5', 'reference_images', [repeatReference(30)], [repeatReference(31)]],
  ['video.edit', 'vidmodel-c-2.5', 'reference_audio', [repeatReference(10)], [repeatReference(11)]],
  [
    'video.concat',
    null,
    'videos',
    [repeatReference(2), repeatReference(8)],
    [[], repeatReference(1), repeatReference(9)],
  ],
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
  for (const value of accepted)
    expect(rejectedPaths(task, model, { ...minimalInputs[task], [name]: value })).toEqual([]);
  for (const value of rejected)
    expect(rejectedPaths(task, model, { ...minimalInputs[task], [name]: value })).toEqual([`input.${name}`]);
});

// Spec: Task contracts
test.each<[BuiltInTaskId, ModelId, string, number]>([
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
])('%s %s accepts %s up to %i', (task, model, name, max) => {
  expect(rejectedPaths(task, model, { ...minimalInputs[task], [name]: repeatReference(max) })).toEqual([]);
  expect(rejectedPaths(task, model, { ...minimalInputs[task], [name]: repeatReference(max + 1) })).toEqual([
    `input.${name}`,
  ]);
  const field = requireContract(task, model).fields.find((field): field is ReferencesFieldSpec => field.name === name);
  expect(field?.max_items).toBe(max);
});

describe('combination rules', () => {
  const draw = (input: TaskInput) => rejectedPaths('image.create', 'imgmodel-a-2', { prompt: 'x', ...input });

  test.each(['auto', '5:4', '4:5', '3:1', '1:3', '9:21'])('%s requires 1K', (aspect_ratio) => {
    expect(draw({ aspect_ratio, resolution: '1K' })).toEqual([]);
    expect(draw({ aspect_ratio, resolution: '2K' })).toEqual(['input.resolution']);
    expect(draw({ aspect_ratio, resolution: '4K' })).toEqual(['input.resolution']);
  });

  test('1:1 allows 1K and 2K, other ratios all three', () => {
    expect(draw({ aspect_ratio: '1:1', resolution: '2K' })).toEqual([]);
    expect(draw({ aspect_ratio: '1:1', resolution: '4K' })).toEqual(['input.resolution']);
    expect(draw({ aspect_ratio: '16:9', resolution: '4K' })).toEqual([]);
  });

  test('a background requires 1K, also in edits', () => {
    for (const background of ['transparent', 'opaque', 'auto']) {
      expect(draw({ aspect_ratio: '16:9', resolution: '2K', background })).toEqual(['input.resolution']);
      expect(draw({ aspect_ratio: '16:9', resolution: '1K', background })).toEqual([]);
    }
    const edit = {
      prompt: 'x',
      images: repeatReference(1),
      aspect_ratio: '16:9',
      resolution: '2K',
      background: 'auto',
    };
    expect(rejectedPaths('image.edit', 'imgmodel-a-2', edit)).toEqual(['input.resolution']);
  });

  test('a reference video limits reference images to 5', () => {
    const film = (images: number) => ({
      prompt: 'x',
      reference_video: sampleReference,
      reference_images: repeatReference(images),
    });
    expect(rejectedPaths('video.create', 'omni-video', film(5))).toEqual([]);
    expect(rejectedPaths('video.create', 'omni-video', film(6))).toEqual(['input.reference_images']);
  });

  test('carousels are available on social_a only', () => {
    const search = (platform: string) => ({ platform, query: 'x', media_type: 'carousel' });
    expect(rejectedPaths('social.search', null, search('social_a'))).toEqual([]);
    expect(rejectedPaths('social.search', null, search('social_b_reels'))).toEqual(['input.media_type']);
    expect(rejectedPaths('social.search', null, search('social_c_shorts'))).toEqual(['input.media_type']);
  });
});
