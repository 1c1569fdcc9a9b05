import { expect, it } from 'vitest';
import type { NumberFieldSpec } from '#contract/task.ts';
import { roundTime, constrainClipTimes } from './values/clip-time.ts';
import { countCodePoints } from './values/count-code-points.ts';
import { parseDateTimeLocal, formatDateTimeLocal } from './values/datetime-local.ts';
import {
  formatMediaDuration,
  formatMediaMeasures,
  referenceName,
  formatFileSize,
  formatClipTime,
} from '#web/media/format-media.ts';

it('counts code points as the contract does', () => {
  for (const text of ['', 'abc', 'naïve', '👍🏽!', 'a\ud800b', '\udc00'])
    expect(countCodePoints(text)).toBe([...text].length);
});

it('tells lengths, sizes and names of media', () => {
  expect([formatMediaDuration(6.04), formatMediaDuration(65), formatMediaDuration(3725)]).toEqual([
    '6 s',
    '1:05',
    '1:02:05',
  ]);
  expect([formatFileSize(12), formatFileSize(820_400), formatFileSize(12_400_000)]).toEqual([
    '1 kB',
    '820 kB',
    '12.4 MB',
  ]);
  const info = { name: null, width: 640, height: 360, duration_seconds: 2.72 };
  expect(formatMediaMeasures(info)).toBe('640 × 360 · 2.7 s');
  expect(referenceName('https://example.com/a.mp4', undefined, false)).toBe('example.com');
  expect(referenceName('https://example.com/a.mp4', { ...info, name: 'a.mp4' }, false)).toBe('a.mp4');
});

it('keeps a moment over the box it is typed in', () => {
  const iso = new Date(2026, 1, 3, 4, 5).toISOString();
  expect(parseDateTimeLocal(formatDateTimeLocal(iso))).toBe(iso);
  expect([parseDateTimeLocal(''), formatDateTimeLocal('nonsense')]).toEqual([null, '']);
});

const field = (name: string): NumberFieldSpec => ({
  kind: 'number',
  name,
  label: name,
  group: 'main',
  min: 0,
  max: null,
});
const times = [field('start'), field('end')] as const;

it('sets times inside the video, pushing a neighbour rather than passing it', () => {
  expect(constrainClipTimes(times, { start: 0, end: 6 }, times[0], 2.345, 6)).toEqual({ start: 2.34 });
  expect(constrainClipTimes(times, { start: 0, end: 6 }, times[0], 9, 6)).toEqual({ start: 5.9 });
  expect(constrainClipTimes(times, { start: 3, end: 4 }, times[1], 1, 6)).toEqual({ start: 0.9, end: 1 });
  expect(constrainClipTimes(times, { start: 3, end: 4 }, times[0], 5, 6)).toEqual({ start: 5, end: 5.1 });
  expect(constrainClipTimes(times, { start: 3, end: null }, times[0], 5, 6)).toEqual({ start: 5 });
});

it('tells a place in a video to the hundredth', () => {
  expect([formatClipTime(0), formatClipTime(4.25), formatClipTime(61.999)]).toEqual(['0:00.00', '0:04.25', '1:01.99']);
  expect(roundTime(6.0409)).toBe(6.04);
});
