import { expect, it } from 'vitest';
import { formatDuration } from './format-duration.ts';

const start = '2026-01-01T00:00:00.000Z';

it.each([
  ['2026-01-01T00:00:00.420Z', '0.4 s'],
  ['2026-01-01T00:00:12.400Z', '12 s'],
  ['2026-01-01T00:03:00.000Z', '3 min'],
  ['2026-01-01T00:03:20.000Z', '3 min 20 s'],
  ['2026-01-01T02:05:00.000Z', '2 h 5 min'],
])('formats the time until %s', (end, text) => {
  expect(formatDuration(start, end)).toBe(text);
});

it('returns null where an end is missing', () => {
  expect(formatDuration(null, start)).toBeNull();
  expect(formatDuration(start, null)).toBeNull();
});
