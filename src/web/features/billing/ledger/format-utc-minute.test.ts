import { expect, test } from 'vitest';
import { formatUtcMinute } from './format-utc-minute.ts';

test.each([
  ['2026-11-22T21:20:59.999Z', 'Nov 22, 21:20'],
  ['2026-11-23T06:20:00.000+09:00', 'Nov 22, 21:20'],
  ['2026-01-01T00:05:00.000Z', 'Jan 1, 00:05'],
  ['2025-12-31T23:59:00.000Z', 'Dec 31, 2025, 23:59'],
])('formats %s as %s in UTC', (at, text) => {
  expect(formatUtcMinute(at, new Date('2026-11-22T23:00:00.000Z'))).toBe(text);
});
