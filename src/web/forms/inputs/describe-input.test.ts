import { describe, expect, it } from 'vitest';
import { createCatalogNames } from '#web/api/catalog-names.ts';
import { describeInput, summarizeInput, workName } from './describe-input.ts';

const video = { url: 'https://a.example/v.mp4' };
const words = (rows: ReturnType<typeof describeInput>) =>
  Object.fromEntries(rows.map((row) => [row.label, row.kind === 'references' ? row.items : row.text]));

const names = createCatalogNames();

describe('an input in words', () => {
  it('uses the labels and the units of the form, and leaves out what is not set', () => {
    const images = [
      { url: 'https://a.example/1.png', role: 'style' },
      { url: 'https://a.example/2.png', role: null },
    ];
    const rows = describeInput('video.create', 'omni-video', {
      prompt: 'A fox',
      aspect_ratio: '9:16',
      duration_seconds: 8,
      reference_images: images,
      reference_video: null,
      seed: null,
    });
    expect(words(rows)).toEqual({
      Prompt: 'A fox',
      Shape: '9:16',
      Length: '8 s',
      'Reference images': images,
      Seed: 'Random',
    });
  });

  it('names options in words, and numbers with their separators', () => {
    const rows = describeInput('social.search', null, {
      query: 'ramen',
      platform: 'social_b_reels',
      min_views: 10000,
      max_duration_seconds: 12.5,
      published_after: null,
    });
    expect(words(rows)).toEqual({
      'Search for': 'ramen',
      Platform: 'Social B Reels',
      'Minimum views': '10,000',
      'Maximum length': '12.5 s',
    });
  });

  it('shows fields it does not know as they are', () => {
    expect(words(describeInput('video.trim', null, { video, new_thing: [1] }))).toEqual({
      Video: [video],
      'new thing': '[1]',
    });
  });
});

describe('a row of the list', () => {
  it('says the prompt, or what goes in', () => {
    expect(
      summarizeInput(
        { task: 'video.create', model: 'omni-video', input: { prompt: 'A fox', duration_seconds: 4 } },
        names,
      ),
    ).toBe('A fox');
    expect(
      summarizeInput({ task: 'video.trim', model: null, input: { video, start_seconds: 0, end_seconds: 2.5 } }, names),
    ).toBe('Trim a video');
    expect(summarizeInput({ task: 'video.concat', model: null, input: { videos: [video, video] } }, names)).toBe(
      'Join videos',
    );
  });
});

it('names the model of work whose task says nothing about it', () => {
  const names = createCatalogNames({ 'added-acme-shape': 'Acme Shape' });
  expect(workName({ task: 'other.run', model: 'added-acme-shape' }, names)).toBe('Acme Shape');
  expect(workName({ task: 'audio.music', model: 'added-acme-shape' }, names)).toBe(names.task('audio.music'));
});
