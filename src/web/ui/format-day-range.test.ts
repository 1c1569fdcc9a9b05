import { expect, it } from 'vitest';
import { formatDayRange } from './format-day-range.ts';

it('formats open, closed and single-day ranges', () => {
  expect(formatDayRange('2026-02-01', undefined)).toBe('Since Feb 1, 2026');
  expect(formatDayRange(undefined, '2026-02-01')).toBe('Until Feb 1, 2026');
  expect(formatDayRange('2026-02-01', '2026-02-01')).toBe('Feb 1, 2026');
  expect(formatDayRange(undefined, undefined)).toBeUndefined();
});
