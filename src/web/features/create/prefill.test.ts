import { describe, expect, it } from 'vitest';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import { prefillFromGeneration, prefillFromMedia } from './prefill.ts';

const asset = (type: Asset['type'], url = 'https://example.com/new') => ({ type, url }) as Asset;
const generation = (given: Pick<Generation, 'task' | 'model' | 'input'>) => given as Generation;

describe('filling in from a generation', () => {
  const made = generation({
    task: 'image.create',
    model: 'imgmodel-a-2',
    input: { prompt: 'A lighthouse', aspect_ratio: '16:9', resolution: '4K', background: null },
  });

  it('takes its input as it was', () => {
    expect(prefillFromGeneration(made, null)).toMatchObject({
      task: 'image.create',
      model: 'imgmodel-a-2',
      values: { prompt: 'A lighthouse', resolution: '4K', reference_images: [] },
      changed: [],
    });
  });

  it('makes it fit another model where the address names one', () => {
    const filled = prefillFromGeneration(made, { task: 'image.create', model: 'imgmodel-d-5-pro' });
    expect(filled?.values).toMatchObject({ prompt: 'A lighthouse', aspect_ratio: '16:9', resolution: '2K' });
    expect(filled?.changed).toEqual([{ label: 'Resolution', from: '4K', to: '2K' }]);
  });

  it('gives up where there is no such pair', () => {
    expect(prefillFromGeneration(made, { task: 'video.trim', model: 'omni-video' })).toBeNull();
  });
});

describe('taking media over', () => {
  it('puts it where the task works on it', () => {
    const filled = prefillFromMedia({ task: 'video.trim', model: null }, [asset('video')], { start_seconds: 2 });
    expect(filled).toMatchObject({
      title: 'Added to Video',
      values: { start_seconds: 2, video: { url: 'https://example.com/new' } },
    });
  });

  it('adds it to a list, in the place of the last where that is full', () => {
    const place = { task: 'video.concat', model: null } as const;
    const there = Array.from({ length: 8 }, (_, at) => ({ url: `https://example.com/${at}` }));
    expect(prefillFromMedia(place, [asset('video')], { videos: there.slice(0, 2) })?.values['videos']).toHaveLength(3);
    const full = prefillFromMedia(place, [asset('video')], { videos: there })?.values['videos'];
    expect(full).toHaveLength(8);
    expect(full).toContainEqual({ url: 'https://example.com/new' });
  });

  it('puts several in at once, each kind where it belongs, and says what would not fit', () => {
    const media = [asset('image', 'https://a.example'), asset('image', 'https://b.example'), asset('video')];
    const place = { task: 'video.concat', model: null } as const;
    expect(prefillFromMedia(place, media, undefined)).toMatchObject({
      title: 'Added to Videos; 2 more did not fit',
      values: { videos: [{ url: 'https://example.com/new' }] },
    });
    const edited = prefillFromMedia({ task: 'image.edit', model: 'imgmodel-a-2' }, media.slice(0, 2), undefined);
    expect(edited?.values['images']).toEqual([{ url: 'https://a.example' }, { url: 'https://b.example' }]);
    const single = prefillFromMedia(
      { task: 'video.trim', model: null },
      [asset('video', 'https://a.example'), asset('video')],
      undefined,
    );
    expect(single).toMatchObject({ title: 'Added to Video; 1 more did not fit' });
    expect(single?.values['video']).toEqual({ url: 'https://a.example' });
  });

  it('refuses what a form does not take', () => {
    expect(prefillFromMedia({ task: 'video.trim', model: null }, [asset('image')], undefined)).toBeNull();
  });
});
