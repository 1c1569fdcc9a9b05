import { startOfLocalDay } from './days.ts';
import { lazily } from './formats.ts';

const dayFormat = lazily(() => new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' }));

/**
 * Formats a range of days (`YYYY-MM-DD`, both inclusive): "Feb 1, 2026 – Feb 3, 2026", "Since Feb 1, 2026"; undefined
 * for an empty range.
 */
export function formatDayRange(from: string | undefined, to: string | undefined): string | undefined {
  const [first, last] = [from, to].map((day) => day && dayFormat().format(startOfLocalDay(day)));
  if (first && last) return first === last ? first : `${first} – ${last}`;
  if (first) return `Since ${first}`;
  return last ? `Until ${last}` : undefined;
}
