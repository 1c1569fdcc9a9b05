import { toLocalDay } from '#web/ui/days.ts';

const padTwo = (part: number) => String(part).padStart(2, '0');

/** An ISO moment as a `datetime-local` box holds it, in local time; empty where it is none. */
export function formatDateTimeLocal(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return `${toLocalDay(at)}T${padTwo(at.getHours())}:${padTwo(at.getMinutes())}`;
}

/** The reverse, as ISO 8601 in UTC; null for an empty box. */
export function parseDateTimeLocal(text: string): string | null {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? null : at.toISOString();
}
