import { expect, it } from 'vitest';
import { formatDay, formatDayRange, startOfLocalDay, startOfUtcDay, toLocalDay } from './days.ts';

it('parses the local days it formats and rejects other texts', () => {
  expect(toLocalDay(startOfLocalDay('2026-01-05') ?? new Date(0))).toBe('2026-01-05');
  expect(startOfLocalDay('2026-02-28', 1)).toEqual(new Date(2026, 2, 1));
  expect(startOfLocalDay('2026-13-01')).toBeUndefined();
  expect(startOfLocalDay('yesterday')).toBeUndefined();
});

it('parses UTC days and rejects other texts', () => {
  expect(startOfUtcDay('2026-02-28', 1)?.toISOString()).toBe('2026-03-01T00:00:00.000Z');
  expect(startOfUtcDay('2026-02-30')).toBeUndefined();
  expect(startOfUtcDay('today')).toBeUndefined();
});

it('formats open, closed and single-day ranges', () => {
  expect(formatDayRange('2026-02-01', undefined)).toBe('Since Feb 1, 2026');
  expect(formatDayRange(undefined, '2026-02-01')).toBe('Until Feb 1, 2026');
  expect(formatDayRange('2026-02-01', '2026-02-01')).toBe('Feb 1, 2026');
  expect(formatDayRange(undefined, undefined)).toBeUndefined();
});

it('formats days relative to now', () => {
  const now = new Date(2026, 2, 1, 0, 5);
  const day = (date: Date) => formatDay(date.getTime(), now.getTime());
  expect(day(new Date(2026, 2, 1, 0, 1))).toBe('Today');
  expect(day(new Date(2026, 2, 1, 9))).toBe('Today');
  expect(day(new Date(2026, 1, 28, 23, 59))).toBe('Yesterday');
  expect(day(new Date(2026, 1, 23))).toBe('Monday, Feb 23');
  expect(day(new Date(2025, 11, 31))).toBe('Dec 31, 2025');
});
