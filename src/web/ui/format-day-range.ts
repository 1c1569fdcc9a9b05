import { startOfLocalDay } from './days.ts';
import { lazily } from './formats.ts';

const dayFormat = lazily(() => new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' }));

/** "1 Feb 2026 – 3 Feb 2026", "Since 1 Feb 2026"; undefined where neither end is set. Days as `YYYY-MM-DD`, both inclusive. */
export function formatDayRange(from: string | undefined, to: string | undefined): string | undefined {
  const [first, last] = [from, to].map((day) => day && dayFormat().format(startOfLocalDay(day)));
  if (first && last) return first === last ? first : `${first} – ${last}`;
  if (first) return `Since ${first}`;
  return last ? `Until ${last}` : undefined;
}
