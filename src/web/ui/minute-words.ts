import { lazily } from '#web/ui/formats.ts';

const minute = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const thisYear = lazily(() => new Intl.DateTimeFormat('en', minute));
const otherYear = lazily(() => new Intl.DateTimeFormat('en', { ...minute, year: 'numeric' }));

/** "21 Nov, 14:03" in the person's own time zone, with the year where it is another; of ISO 8601. Cheap enough for long lists. */
export function minuteWords(at: string): string {
  const moment = new Date(at);
  return (moment.getFullYear() === new Date().getFullYear() ? thisYear : otherYear)().format(moment);
}
