const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The UTC day of a moment. */
export const toUtcDay = (at: Date): string => at.toISOString().slice(0, 10);

/** The first instant of a UTC day (`YYYY-MM-DD`), or of so many days later; undefined where the text is no day. */
export function startOfUtcDay(day: string | undefined, days = 0): Date | undefined {
  if (day === undefined || !DAY.test(day)) return undefined;
  const start = new Date(`${day}T00:00:00.000Z`);
  if (Number.isNaN(start.getTime()) || toUtcDay(start) !== day) return undefined;
  start.setUTCDate(start.getUTCDate() + days);
  return start;
}

/** Local midnight at the start of a day (`YYYY-MM-DD`), or so many days later; undefined where the text is no day. */
export function startOfLocalDay(day: string | undefined, days = 0): Date | undefined {
  const start = startOfUtcDay(day, days);
  return start && new Date(start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate());
}

/** A local day as `YYYY-MM-DD`. */
export function toLocalDay(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
