import { describe, expect, it } from 'vitest';
import type { Asset, Generation } from '#contract/resources/generation.ts';
import * as prefill from './prefill.ts';

const prefillFromGeneration = (source: Generation, to: Parameters<typeof prefill.prefillFromGeneration>[1]) =>
  prefill.prefillFromGeneration(source, to, undefined);
type MediaArguments = Parameters<typeof prefill.prefillFromMedia>;
const prefillFromMedia = (target: MediaArguments[0], media: MediaArguments[1], draft: MediaArguments[2]) =>
  prefill.prefillFromMedia(target, media, draft, undefined);
const asset = (type: Asset['type'], url = 'https://example.com/new') => ({ type, url }) as Asset;
const generation = (fields: Pick<Generation, 'task' | 'model' | 'input'>) => fields as Generation;

describe('prefillFromGeneration', () => {
  const source = generation({
    task: 'image.create',
    model: 'imgmodel-a-2',
    input: { prompt: 'A lighthouse', aspect_ratio: '16:9', resolution: '4K', background: null },
  });

  it('restores the input', () => {
    expect(prefillFromGeneration(source, null)).toMatchObject({
      task: 'image.create',
      model: 'imgmodel-a-2',
      values: { prompt: 'A lighthouse', resolution: '4K', reference_images: [] },
      changed: [],
    });
  });

  it('adapts the input to another model', () => {
    const prefilled = prefillFromGeneration(source, { task: 'image.create', model: 'imgmodel-d-5-pro' });
    expect(prefilled?.values).toMatchObject({ prompt: 'A lighthouse', aspect_ratio: '16:9', resolution: '2K' });
    expect(prefilled?.changed).toEqual([{ label: 'Resolution', from: '4K', to: '2K' }]);
  });

  it('returns null if the model does not support the task', () => {
    expect(prefillFromGeneration(source, { task: 'video.trim', model: 'omni-video' })).toBeNull();
  });
});

describe('prefillFromMedia', () => {
  it('fills the required field and keeps the rest of the draft', () => {
    const prefilled = prefillFromMedia({ task: 'video.trim', model: null }, [asset('video')], { start_seconds: 2 });
    expect(prefilled).toMatchObject({
      title: 'Added to Video',
      values: { start_seconds: 2, video: { url: 'https://example.com/new' } },
    });
  });

  it('appends to a list and replaces the last item of a full one', () => {
    const target = { task: 'video.concat', model: null } as const;
    const videos = Array.from({ length: 8 }, (_, at) => ({ url: `https://example.com/${at}` }));
    expect(prefillFromMedia(target, [asset('video')], { videos: videos.slice(0, 2) })?.values['videos']).toHaveLength(
      3,
    );
    const full = prefillFromMedia(target, [asset('video')], { videos })?.values['videos'];
    expect(full).toHaveLength(8);
    expect(full).toContainEqual({ url: 'https://example.com/new' });
  });

  it('adds several media and counts those that do not fit', () => {
    const media = [asset('image', 'https://a.example'), asset('image', 'https://b.example'), asset('video')];
    const target = { task: 'video.concat', model: null } as const;
    expect(prefillFromMedia(target, media, undefined)).toMatchObject({
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

  it('returns null if no field accepts the media', () => {
    expect(prefillFromMedia({ task: 'video.trim', model: null }, [asset('image')], undefined)).toBeNull();
  });
});

it('fills in the form of a preset, and lists the fields whose media are gone', () => {
  const preset = {
    name: 'Tea',
    task: 'image.create',
    model: 'imgmodel-a-2',
    input: { prompt: 'A teapot', aspect_ratio: '3:2', color: 'red' },
    missing_media: ['reference_images'],
  } satisfies Parameters<typeof prefill.prefillFromPreset>[0];
  const form = prefill.prefillFromPreset(preset, undefined);
  expect(form).toMatchObject({ task: 'image.create', model: 'imgmodel-a-2', title: 'Preset “Tea” applied' });
  expect(form?.values).toMatchObject({ prompt: 'A teapot', aspect_ratio: '3:2', resolution: '1K' });
  expect(form?.values).not.toHaveProperty('color');
  expect(form?.dropped).toEqual([{ label: 'Reference images', value: '(files no longer available)' }]);
  expect(prefill.prefillFromPreset({ ...preset, model: 'vidmodel-c-2' }, undefined)).toBeNull();
});
