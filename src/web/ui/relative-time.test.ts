import { expect, test } from 'vitest';
import { formatRelativeTime } from './relative-time.tsx';

const now_ms = new Date(2026, 4, 20, 12).getTime();
const minute_ms = 60_000;
const hour_ms = 60 * minute_ms;
const day_ms = 24 * hour_ms;

test.each([
  [0, 'just now'],
  [-44_000, 'just now'],
  [3_000, 'just now'],
  [-46_000, '1 min. ago'],
  [-59 * minute_ms, '59 min. ago'],
  [-59.7 * minute_ms, '1 hr. ago'],
  [-23 * hour_ms, '23 hr. ago'],
  [-day_ms, 'yesterday'],
  [-6 * day_ms, '6 days ago'],
  [-8 * day_ms, 'May 12'],
  [-200 * day_ms, 'Nov 1, 2025'],
])('formats %d ms from now as "%s"', (offset_ms, text) => {
  expect(formatRelativeTime(now_ms + offset_ms, now_ms)).toBe(text);
});

test('formats a past time as past, also where the clock of the service is ahead', () => {
  expect(formatRelativeTime(now_ms + 30_000, now_ms)).toBe('just now');
  expect(formatRelativeTime(now_ms + 30_000, now_ms, true)).toBe('in 30 sec.');
});
