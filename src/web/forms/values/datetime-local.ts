import { toLocalDay } from '#web/ui/controls/days.ts';

const padTwo = (value: number) => String(value).padStart(2, '0');

/** Value of a `datetime-local` input in the local time zone; empty for an invalid date. */
export function formatDateTimeLocal(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  return `${toLocalDay(date)}T${padTwo(date.getHours())}:${padTwo(date.getMinutes())}`;
}

/** Returns ISO 8601 in UTC; null for an empty input. */
export function parseDateTimeLocal(text: string): string | null {
  const date = new Date(text);
  return text === '' || Number.isNaN(date.getTime()) ? null : date.toISOString();
}
