import { describe, expect, it } from 'vitest';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import { prefillAsset, prefillFrom } from './prefill.ts';

const asset = (type: Asset['type'], url = 'https://example.com/new') => ({ type, url }) as Asset;
const generation = (given: Pick<Generation, 'task' | 'model' | 'input'>) => given as Generation;

describe('filling in from a generation', () => {
  const made = generation({
    task: 'image.create',
    model: 'imgmodel-a-2',
    input: { prompt: 'A lighthouse', aspect_ratio: '16:9', resolution: '4K', background: null },
  });

  it('takes its input as it was', () => {
    expect(prefillFrom(made, null)).toMatchObject({
      task: 'image.create',
      model: 'imgmodel-a-2',
      values: { prompt: 'A lighthouse', resolution: '4K', reference_images: [] },
      changed: [],
    });
  });

  it('makes it fit another model where the address names one', () => {
    const filled = prefillFrom(made, { task: 'image.create', model: 'imgmodel-d-5-pro' });
    expect(filled?.values).toMatchObject({ prompt: 'A lighthouse', aspect_ratio: '16:9', resolution: '2K' });
    expect(filled?.changed).toEqual([{ label: 'Resolution', from: '4K', to: '2K' }]);
  });

  it('gives up where there is no such pair', () => {
    expect(prefillFrom(made, { task: 'video.trim', model: 'omni-video' })).toBeNull();
  });
});

describe('taking an output over', () => {
  it('puts it where the task works on it', () => {
    const filled = prefillAsset({ task: 'video.trim', model: null }, asset('video'), { start_seconds: 2 });
    expect(filled).toMatchObject({
      title: 'Taken over into “Video”',
      values: { start_seconds: 2, video: { url: 'https://example.com/new' } },
    });
  });

  it('adds it to a list, in the place of the last where that is full', () => {
    const place = { task: 'video.concat', model: null } as const;
    const there = Array.from({ length: 8 }, (_, at) => ({ url: `https://example.com/${at}` }));
    expect(prefillAsset(place, asset('video'), { videos: there.slice(0, 2) })?.values['videos']).toHaveLength(3);
    const full = prefillAsset(place, asset('video'), { videos: there })?.values['videos'];
    expect(full).toHaveLength(8);
    expect(full).toContainEqual({ url: 'https://example.com/new' });
  });

  it('refuses what a form does not take', () => {
    expect(prefillAsset({ task: 'video.trim', model: null }, asset('image'), undefined)).toBeNull();
  });
});
