import { expect, it } from 'vitest';
import { cacheLinkInfo } from '#web/api/reference-info.ts';
import { expectedRequestRatio } from './expected-ratio.ts';

const portrait = 'https://example.com/portrait.mp4';
cacheLinkInfo({
  object: 'reference_check',
  url: portrait,
  type: 'video',
  mime_type: 'video/mp4',
  size_bytes: 1,
  width: 1080,
  height: 1920,
  duration_seconds: 4,
});

it('uses the requested ratio', () => {
  const body = { task: 'image.create', model: 'imgmodel-a-2', input: { aspect_ratio: '3:2' } } as const;
  expect(expectedRequestRatio(body)).toBeCloseTo(1.5);
});

it('uses the ratio of the edited media', () => {
  expect(expectedRequestRatio({ task: 'video.trim', input: { video: { url: portrait } } })).toBeCloseTo(9 / 16);
});

it('uses the ratio of the first frame for an adaptive ratio', () => {
  const input = { aspect_ratio: 'adaptive', first_frame: { url: portrait } };
  expect(expectedRequestRatio({ task: 'video.create', model: 'vidmodel-c-2', input })).toBeCloseTo(9 / 16);
});

it('is a square for an image with an automatic ratio', () => {
  expect(expectedRequestRatio({ task: 'image.create', model: 'imgmodel-a-2', input: { aspect_ratio: 'auto' } })).toBe(
    1,
  );
});
