import { describe, expect, it } from 'vitest';
import type { Asset } from '#contract/resources/generation.ts';
import * as prefillMedia from './prefill-media.ts';

type MediaArguments = Parameters<typeof prefillMedia.prefillFromMedia>;
const prefillFromMedia = (target: MediaArguments[0], media: MediaArguments[1]['media'], draft: MediaArguments[2]) =>
  prefillMedia.prefillFromMedia(target, { media, prompt: null, fields: null }, draft, undefined);
const asset = (type: Asset['type'], url = 'https://example.com/new') => ({ type, url }) as Asset;
const VIDEO = { task: 'video.create', model: 'vidmodel-c-2' } as const;

describe('prefillFromMedia', () => {
  it('fills the required field and keeps the rest of the draft', () => {
    const prefilled = prefillFromMedia({ task: 'video.trim', model: null }, [asset('video')], { start_seconds: 2 });
    expect(prefilled).toMatchObject({
      title: 'Added to Video',
      values: { start_seconds: 2, video: { url: 'https://example.com/new' } },
    });
  });

  it('drops the times of the video that it replaces', () => {
    const draft = { video: { url: 'https://example.com/old' }, start_seconds: 2, end_seconds: 5 };
    expect(prefillFromMedia({ task: 'video.trim', model: null }, [asset('video')], draft)?.values).toEqual({
      video: { url: 'https://example.com/new' },
      start_seconds: 0,
      end_seconds: null,
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

  it('fills in the time on screen of a clip: the frame, or where a part begins', () => {
    const source = { media: [{ ...asset('video'), duration_seconds: 6 }], prompt: null, fields: ['video'] };
    const filled = (task: 'video.extract_frame' | 'video.trim', at: number) =>
      prefillMedia.prefillFromMedia({ task, model: null }, { ...source, at }, undefined, undefined)?.values;
    expect(filled('video.extract_frame', 5.2)).toMatchObject({ timestamp_seconds: 5.2 });
    expect(filled('video.trim', 5.2)).toMatchObject({ start_seconds: 5.2 });
    expect(filled('video.trim', 5.95)).toMatchObject({ start_seconds: 0 });
    expect(filled('video.extract_frame', 0)).toMatchObject({ timestamp_seconds: 0 });
  });

  it('takes over the sound that a clip was made with, also in place of an earlier one', () => {
    const [video, audio] = [{ url: 'https://example.com/clip' }, { url: 'https://example.com/voice' }];
    const source = { media: [asset('video')], prompt: null, fields: ['video'], input: { video, audio, mode: 'mix' } };
    const fill = (draft: MediaArguments[2]) =>
      prefillMedia.prefillFromMedia({ task: 'video.lipsync', model: 'lipsync-v3' }, source, draft, undefined);
    for (const draft of [undefined, { audio: { url: 'https://example.com/old' } }])
      expect(fill(draft)).toMatchObject({
        title: 'Added to Video and Audio',
        values: { video: { url: 'https://example.com/new' }, audio },
      });
    expect(fill(undefined)?.values).not.toHaveProperty('mode');
  });

  it('returns null if no field accepts the media', () => {
    expect(prefillFromMedia({ task: 'video.trim', model: null }, [asset('image')], undefined)).toBeNull();
  });

  it('fills in a named field, a movement in place of the prompt of the picture, and the ratio nearest to it', () => {
    const picture = { ...asset('image'), width: 1024, height: 1024 };
    const draft = { prompt: 'An old idea', aspect_ratio: '9:16', duration_seconds: 12 };
    const source = { media: [picture], prompt: 'Three pears', fields: ['first_frame', 'prompt'], note: 'on C 2' };
    expect(prefillMedia.prefillFromMedia(VIDEO, source, draft, undefined)).toMatchObject({
      title: 'Added to Start frame and Prompt · on C 2',
      values: {
        first_frame: { url: picture.url },
        prompt: 'The camera slowly pushes in.',
        aspect_ratio: '1:1',
        duration_seconds: 12,
      },
      changed: [{ label: 'Shape', from: '9:16', to: '1:1' }],
    });
  });

  it('keeps a prompt that has a movement', () => {
    const source = { media: [asset('image')], prompt: null, fields: ['first_frame', 'prompt'] };
    const prompt = (draft: { prompt: string } | undefined) =>
      prefillMedia.prefillFromMedia(VIDEO, source, draft, undefined)?.values['prompt'];
    expect(prompt({ prompt: 'Rain. The camera tilts up.' })).toBe('Rain. The camera tilts up.');
    expect(prompt({ prompt: 'My own words' })).toBe('The camera slowly pushes in.');
    expect(prompt(undefined)).toBe('The camera slowly pushes in.');
  });

  it('keeps the ratio of the start frame when an end frame is added', () => {
    const draft = { first_frame: { url: 'https://example.com/start' }, aspect_ratio: '9:16' };
    const media = [{ ...asset('image'), width: 1024, height: 1024 }];
    const prefilled = prefillMedia.prefillFromMedia(
      VIDEO,
      { media, prompt: null, fields: ['last_frame'] },
      draft,
      undefined,
    );
    expect(prefilled).toMatchObject({ values: { aspect_ratio: '9:16' }, changed: [] });
  });

  it('fills in the prompt alone', () => {
    const source = { media: [], prompt: 'Night market noodles', fields: ['prompt'] };
    expect(
      prefillMedia.prefillFromMedia({ task: 'image.create', model: 'imgmodel-a-2' }, source, undefined, undefined),
    ).toMatchObject({ title: 'Added to Prompt', values: { prompt: 'Night market noodles' } });
  });
});
