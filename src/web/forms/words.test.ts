import { expect, it } from 'vitest';
import type { NumberField } from '#contract/task.ts';
import { roundTime, settleTimes } from '#web/forms/clip-time.ts';
import { clipClock } from '#web/player/format-clip-time.ts';
import { codePoints } from '#web/forms/code-points.ts';
import { fromLocalText, toLocalText } from '#web/forms/local-time.ts';
import { clockWords, measureWords, nameOf, sizeWords } from '#web/forms/media-words.ts';

it('counts code points as the contract does', () => {
  for (const text of ['', 'abc', 'naïve', '👍🏽!', 'a\ud800b', '\udc00']) expect(codePoints(text)).toBe([...text].length);
});

it('tells lengths, sizes and names of media', () => {
  expect([clockWords(6.04), clockWords(65), clockWords(3725)]).toEqual(['6 s', '1:05', '1:02:05']);
  expect([sizeWords(12), sizeWords(820_400), sizeWords(12_400_000)]).toEqual(['1 kB', '820 kB', '12.4 MB']);
  const info = { name: null, width: 640, height: 360, duration_seconds: 2.72 };
  expect(measureWords(info)).toBe('640 × 360 · 2.7 s');
  expect(nameOf('https://example.com/a.mp4', undefined, false)).toBe('example.com');
  expect(nameOf('https://example.com/a.mp4', { ...info, name: 'a.mp4' }, false)).toBe('a.mp4');
});

it('keeps a moment over the box it is typed in', () => {
  const iso = new Date(2026, 1, 3, 4, 5).toISOString();
  expect(fromLocalText(toLocalText(iso))).toBe(iso);
  expect([fromLocalText(''), toLocalText('nonsense')]).toEqual([null, '']);
});

const field = (name: string): NumberField => ({ kind: 'number', name, label: name, group: 'main', min: 0, max: null });
const times = [field('start'), field('end')] as const;

it('sets times inside the video, pushing a neighbour rather than passing it', () => {
  expect(settleTimes(times, { start: 0, end: 6 }, times[0], 2.345, 6)).toEqual({ start: 2.34 });
  expect(settleTimes(times, { start: 0, end: 6 }, times[0], 9, 6)).toEqual({ start: 5.9 });
  expect(settleTimes(times, { start: 3, end: 4 }, times[1], 1, 6)).toEqual({ start: 0.9, end: 1 });
  expect(settleTimes(times, { start: 3, end: 4 }, times[0], 5, 6)).toEqual({ start: 5, end: 5.1 });
  expect(settleTimes(times, { start: 3, end: null }, times[0], 5, 6)).toEqual({ start: 5 });
});

it('tells a place in a video to the hundredth', () => {
  expect([clipClock(0), clipClock(4.25), clipClock(61.999)]).toEqual(['0:00.00', '0:04.25', '1:01.99']);
  expect(roundTime(6.0409)).toBe(6.04);
});
