import { expect, test } from 'vitest';
import { formatRelativeTime } from './relative-time.tsx';

const nowMs = new Date(2026, 4, 20, 12).getTime();
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

test.each([
  [0, 'just now'],
  [-44_000, 'just now'],
  [3_000, 'just now'],
  [-46_000, '1 min. ago'],
  [-59 * minuteMs, '59 min. ago'],
  [-59.7 * minuteMs, '1 hr. ago'],
  [-23 * hourMs, '23 hr. ago'],
  [-dayMs, 'yesterday'],
  [-6 * dayMs, '6 days ago'],
  [-8 * dayMs, 'May 12'],
  [-200 * dayMs, 'Nov 1, 2025'],
])('formats %d ms from now as "%s"', (offsetMs, text) => {
  expect(formatRelativeTime(nowMs + offsetMs, nowMs)).toBe(text);
});

test('formats a past time as past, also where the clock of the service is ahead', () => {
  expect(formatRelativeTime(nowMs + 30_000, nowMs)).toBe('just now');
  expect(formatRelativeTime(nowMs + 30_000, nowMs, true)).toBe('in 30 sec.');
});
