import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { formatRelativeTime, RelativeTime } from './relative-time.tsx';

const now_ms = new Date(2026, 4, 20, 12).getTime();
const minute_ms = 60_000;
const hour_ms = 60 * minute_ms;
const day_ms = 24 * hour_ms;

test.each([
  [0, 'just now'],
  [-44_000, 'just now'],
  [3_000, 'just now'],
  [30_000, 'in 30 sec.'],
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

test('shows a time that is past as past, also where the clock of the service is ahead', () => {
  const at = new Date(Date.now() + 20_000).toISOString();
  expect(renderToStaticMarkup(createElement(RelativeTime, { at }))).toContain('>just now<');
  expect(renderToStaticMarkup(createElement(RelativeTime, { at, mayBeFuture: true }))).toContain('>in 20 sec.<');
});
