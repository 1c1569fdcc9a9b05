const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Days of the account, `YYYY-MM-DD`, both inclusive: UTC for everybody, so that two people who look at a day see the same sums. */
export interface Period {
  from?: string | undefined;
  to?: string | undefined;
}

/** The first instant of a UTC day, or of so many days later; undefined where the text is no day. */
export function startOfUtcDay(day: string | undefined, days = 0): Date | undefined {
  if (day === undefined || !DAY.test(day)) return undefined;
  const start = new Date(`${day}T00:00:00.000Z`);
  if (Number.isNaN(start.getTime()) || utcDay(start) !== day) return undefined;
  start.setUTCDate(start.getUTCDate() + days);
  return start;
}

/** The UTC day of a moment. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);

const back = (now: Date, days: number) => utcDay(new Date(now.getTime() - days * 86_400_000));
const monthDay = (now: Date, months: number, day: number) =>
  utcDay(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day)));

/** Usual spans, up to today. */
export const PRESETS = {
  today: { label: 'Today', of: (now: Date) => ({ from: utcDay(now), to: utcDay(now) }) },
  week: { label: 'Last 7 days', of: (now: Date) => ({ from: back(now, 6), to: utcDay(now) }) },
  month: { label: 'Last 30 days', of: (now: Date) => ({ from: back(now, 29), to: utcDay(now) }) },
  this_month: { label: 'This month', of: (now: Date) => ({ from: monthDay(now, 0, 1), to: utcDay(now) }) },
  last_month: { label: 'Last month', of: (now: Date) => ({ from: monthDay(now, -1, 1), to: monthDay(now, 0, 0) }) },
  year: { label: 'Last 12 months', of: (now: Date) => ({ from: monthDay(now, -11, 1), to: utcDay(now) }) },
} as const satisfies Record<string, { label: string; of: (now: Date) => Required<Period> }>;
export type Preset = keyof typeof PRESETS;

export const isPreset = (value: string): value is Preset => Object.hasOwn(PRESETS, value);

/** The period of the charts where the address names none. */
export const usualPeriod = (now = new Date()): { from: string; to: string } => PRESETS.month.of(now);

/** Every day of a period, oldest first. */
export function daysOf({ from, to }: { from: string; to: string }): string[] {
  const days: string[] = [];
  for (let at = startOfUtcDay(from); at && utcDay(at) <= to; at = startOfUtcDay(utcDay(at), 1)) days.push(utcDay(at));
  return days;
}

const words = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** "21 Nov 2026". */
export const dayWords = (day: string): string => {
  const start = startOfUtcDay(day);
  return start ? words.format(start) : day;
};

const monthName = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** "November 2026", of `2026-11`. */
export const monthWords = (month: string): string => {
  const start = startOfUtcDay(`${month}-01`);
  return start ? monthName.format(start) : month;
};
