import { toLocalDay } from '#web/ui/days.ts';

const padTwo = (part: number) => String(part).padStart(2, '0');

/** Formats an ISO date as the local time of a `datetime-local` input; empty for an invalid date. */
export function formatDateTimeLocal(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return `${toLocalDay(at)}T${padTwo(at.getHours())}:${padTwo(at.getMinutes())}`;
}

/** Parses the value of a `datetime-local` input to ISO 8601 in UTC; null for an empty input. */
export function parseDateTimeLocal(text: string): string | null {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? null : at.toISOString();
}
