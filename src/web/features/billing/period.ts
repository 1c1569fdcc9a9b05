import type { DaySpans } from '#web/ui/day-span-select.tsx';
import { startOfUtcDay, utcDay } from '#web/ui/days.ts';
import { lazily } from '#web/ui/formats.ts';

const back = (now: Date, days: number) => utcDay(new Date(now.getTime() - days * 86_400_000));
const monthDay = (now: Date, months: number, day: number) =>
  utcDay(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day)));

/** Usual spans of the account, up to today: UTC for everybody, so that two people who look at a day see the same sums. */
export const PRESETS = {
  today: { label: 'Today', of: (now: Date) => ({ from: utcDay(now), to: utcDay(now) }) },
  week: { label: 'Last 7 days', of: (now: Date) => ({ from: back(now, 6), to: utcDay(now) }) },
  month: { label: 'Last 30 days', of: (now: Date) => ({ from: back(now, 29), to: utcDay(now) }) },
  this_month: { label: 'This month', of: (now: Date) => ({ from: monthDay(now, 0, 1), to: utcDay(now) }) },
  last_month: { label: 'Last month', of: (now: Date) => ({ from: monthDay(now, -1, 1), to: monthDay(now, 0, 0) }) },
  year: { label: 'Last 12 months', of: (now: Date) => ({ from: monthDay(now, -11, 1), to: utcDay(now) }) },
} as const satisfies DaySpans;

/** The period of the charts where the address names none. */
export const usualPeriod = (now = new Date()): { from: string; to: string } => PRESETS.month.of(now);

/** Every day of a period, oldest first. */
export function daysOf({ from, to }: { from: string; to: string }): string[] {
  const days: string[] = [];
  for (let at = startOfUtcDay(from); at && utcDay(at) <= to; at = startOfUtcDay(utcDay(at), 1)) days.push(utcDay(at));
  return days;
}

const words = lazily(
  () => new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
);

/** "21 Nov 2026". */
export const dayWords = (day: string): string => {
  const start = startOfUtcDay(day);
  return start ? words().format(start) : day;
};

const monthName = lazily(() => new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }));

/** "November 2026", of `2026-11`. */
export const monthWords = (month: string): string => {
  const start = startOfUtcDay(`${month}-01`);
  return start ? monthName().format(start) : month;
};
