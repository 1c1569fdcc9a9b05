import { lazily } from '#web/ui/formats.ts';

const minute = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
} as const;
const thisYear = lazily(() => new Intl.DateTimeFormat('en', minute));
const otherYear = lazily(() => new Intl.DateTimeFormat('en', { ...minute, year: 'numeric' }));

/** Formats an ISO 8601 time as "Nov 21, 14:03" in UTC, with the year unless it is the current one. */
export function formatUtcMinute(at: string, now: Date = new Date()): string {
  const moment = new Date(at);
  return (moment.getUTCFullYear() === now.getUTCFullYear() ? thisYear : otherYear)().format(moment);
}
