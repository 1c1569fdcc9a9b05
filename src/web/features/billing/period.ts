import type { DayRangePresets } from '#web/ui/controls/day-range-select.tsx';
import { startOfUtcDay, toUtcDay } from '#web/ui/controls/days.ts';
import { lazily } from '#web/ui/formats.ts';

const daysBefore = (now: Date, days: number) => toUtcDay(new Date(now.getTime() - days * 86_400_000));
const monthDay = (now: Date, months: number, day: number) =>
  toUtcDay(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day)));

/** Preset periods up to today. They are in UTC so that people in different time zones see the same totals. */
export const PERIOD_PRESETS = {
  today: { label: 'Today', of: (now: Date) => ({ from: toUtcDay(now), to: toUtcDay(now) }) },
  week: { label: 'Last 7 days', of: (now: Date) => ({ from: daysBefore(now, 6), to: toUtcDay(now) }) },
  month: { label: 'Last 30 days', of: (now: Date) => ({ from: daysBefore(now, 29), to: toUtcDay(now) }) },
  this_month: { label: 'This month', of: (now: Date) => ({ from: monthDay(now, 0, 1), to: toUtcDay(now) }) },
  lastMonth: { label: 'Last month', of: (now: Date) => ({ from: monthDay(now, -1, 1), to: monthDay(now, 0, 0) }) },
  year: { label: 'Last 12 months', of: (now: Date) => ({ from: monthDay(now, -11, 1), to: toUtcDay(now) }) },
} as const satisfies DayRangePresets;

export const defaultPeriod = (now = new Date()): { from: string; to: string } => PERIOD_PRESETS.month.of(now);

/** Lists every day of a period, oldest first. */
export function daysInPeriod({ from, to }: { from: string; to: string }): string[] {
  const days: string[] = [];
  for (let at = startOfUtcDay(from); at && toUtcDay(at) <= to; at = startOfUtcDay(toUtcDay(at), 1))
    days.push(toUtcDay(at));
  return days;
}

const dayFormat = lazily(
  () => new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
);

/** Formats `2026-11-21` as "Nov 21, 2026". */
export const formatUtcDay = (day: string): string => {
  const start = startOfUtcDay(day);
  return start ? dayFormat().format(start) : day;
};

const monthFormat = lazily(() => new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }));

/** Formats `2026-11` as "November 2026". */
export const formatUtcMonth = (month: string): string => {
  const start = startOfUtcDay(`${month}-01`);
  return start ? monthFormat().format(start) : month;
};
