import { lazily } from '#web/ui/formats.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export const toUtcDay = (at: Date): string => at.toISOString().slice(0, 10);

/** Returns the first instant of a UTC day (`YYYY-MM-DD`) plus `days` days; undefined where the text is not a day. */
export function startOfUtcDay(day: string | undefined, days = 0): Date | undefined {
  if (day === undefined || !DAY.test(day)) return undefined;
  const start = new Date(`${day}T00:00:00.000Z`);
  if (Number.isNaN(start.getTime()) || toUtcDay(start) !== day) return undefined;
  start.setUTCDate(start.getUTCDate() + days);
  return start;
}

/** Returns local midnight of a day (`YYYY-MM-DD`) plus `days` days; undefined where the text is not a day. */
export function startOfLocalDay(day: string | undefined, days = 0): Date | undefined {
  const start = startOfUtcDay(day, days);
  return start && new Date(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate());
}

export function toLocalDay(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const dayFormat = lazily(() => new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' }));

/** Formats local days, both inclusive: "Feb 1, 2026 – Feb 3, 2026", "Since Feb 1, 2026"; undefined without any. */
export function formatDayRange(from: string | undefined, to: string | undefined): string | undefined {
  const [first, last] = [from, to].map((day) => day && dayFormat().format(startOfLocalDay(day)));
  if (first && last) return first === last ? first : `${first} – ${last}`;
  if (first) return `Since ${first}`;
  return last ? `Until ${last}` : undefined;
}

const weekdayFormat = lazily(() => new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'short' }));

/** Formats a local day relative to now, both in milliseconds: "Today", "Yesterday", "Monday, Nov 16", "Nov 16, 2025". */
export function formatDay(atMs: number, nowMs: number): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)];
  const day = toLocalDay(at);
  if (day >= toLocalDay(now)) return 'Today';
  if (day === toLocalDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))) return 'Yesterday';
  return (at.getFullYear() === now.getFullYear() ? weekdayFormat() : dayFormat()).format(at);
}
