import { describe, expect, test } from 'vitest';
import { inputContract, modelsForTask } from '#contract/catalog.ts';
import type { ModelId, TaskId } from '#contract/ids.ts';
import { imageSize, sourceSize, videoSize } from './sizes.ts';

type ImageOptions = Parameters<typeof imageSize>[0];
type VideoOptions = Parameters<typeof videoSize>[0];

const AREAS = { '1K': 1024 ** 2, '2K': 2048 ** 2, '4K': 4096 ** 2 } as const;
const SHORTER = { '480p': 480, '720p': 720, '1080p': 1080, '4K': 2160 } as const;

function options(task: TaskId, model: ModelId, name: string): string[] {
  const field = inputContract(task, model)?.fields.find((candidate) => candidate.name === name);
  return field?.kind === 'choice' ? field.options.map(String) : [];
}

const ratioOf = (text: string): number => {
  const [wide = 1, tall = 1] = text.split(':').map(Number);
  return wide / tall;
};

describe.each(modelsForTask('image.create'))('images of %s', (model) => {
  const ratios = options('image.create', model, 'aspect_ratio').filter((ratio) => ratio.includes(':'));
  const resolutions = options('image.create', model, 'resolution');

  test.each(ratios.flatMap((ratio) => resolutions.map((resolution) => [ratio, resolution] as const)))(
    '%s at %s: the area of the resolution, multiples of 8',
    (aspect_ratio, resolution) => {
      const { width, height } = imageSize({ aspect_ratio, resolution } as ImageOptions, null);
      const area = AREAS[resolution as keyof typeof AREAS];
      expect([width % 8, height % 8]).toEqual([0, 0]);
      expect(Math.abs(width - Math.sqrt(area * ratioOf(aspect_ratio)))).toBeLessThanOrEqual(4);
      expect(Math.abs(height - Math.sqrt(area / ratioOf(aspect_ratio)))).toBeLessThanOrEqual(4);
    },
  );

  test.each(options('image.create', model, 'size').filter((size) => size !== 'auto'))('%s is exact', (size) => {
    const { width, height } = imageSize({ size } as ImageOptions, { width: 10, height: 10 });
    expect(`${width}x${height}`).toBe(size);
  });
});

describe('auto', () => {
  test('follows the first image', () => {
    expect(imageSize({ aspect_ratio: 'auto', resolution: '1K' }, { width: 400, height: 100 })).toEqual({
      width: 2048,
      height: 512,
    });
  });
  test('is square without an image', () => {
    expect(imageSize({ aspect_ratio: 'auto', resolution: '2K' }, null)).toEqual({ width: 2048, height: 2048 });
    expect(imageSize({ size: 'auto' }, null)).toEqual({ width: 1024, height: 1024 });
  });
  test('clamps an extreme ratio to the supported range', () => {
    expect(imageSize({ aspect_ratio: 'auto' }, { width: 5000, height: 10 })).toEqual({
      width: 2896,
      height: 360,
    });
  });
});

describe.each(modelsForTask('video.create'))('videos of %s', (model) => {
  const ratios = options('video.create', model, 'aspect_ratio').filter((ratio) => ratio.includes(':'));
  const offered = options('video.create', model, 'resolution');
  const resolutions = offered.length > 0 ? offered : [undefined];

  test.each(ratios.flatMap((ratio) => resolutions.map((resolution) => [ratio, resolution] as const)))(
    '%s at %s: exact shorter side, the other even',
    (aspect_ratio, resolution) => {
      const { width, height } = videoSize({ aspect_ratio, resolution } as VideoOptions, null);
      expect(Math.min(width, height)).toBe(resolution ? SHORTER[resolution as keyof typeof SHORTER] : 720);
      expect([width % 2, height % 2]).toEqual([0, 0]);
      const longer = Math.min(width, height) * Math.max(ratioOf(aspect_ratio), 1 / ratioOf(aspect_ratio));
      expect(Math.abs(Math.max(width, height) - longer)).toBeLessThanOrEqual(1);
    },
  );
});

test('adaptive follows the guide, else 16:9', () => {
  expect(videoSize({ aspect_ratio: 'adaptive', resolution: '480p' }, { width: 300, height: 400 })).toEqual({
    width: 480,
    height: 640,
  });
  expect(videoSize({ aspect_ratio: 'adaptive', resolution: '480p' }, null)).toEqual({ width: 854, height: 480 });
});

test('an edited clip keeps the aspect ratio of its source', () => {
  expect(sourceSize('720p', { width: 1920, height: 800 })).toEqual({ width: 1728, height: 720 });
  expect(sourceSize('480p', { width: 720, height: 1280 })).toEqual({ width: 480, height: 854 });
});
