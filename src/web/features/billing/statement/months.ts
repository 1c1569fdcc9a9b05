/** Adds months to a month, both `YYYY-MM`. `count` may be negative. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

const MAX_MONTHS = 240;

/** Lists the months from `first` to `last`, both `YYYY-MM` and included. Limited to the last 20 years. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = last; month >= first && months.length < MAX_MONTHS; month = addMonths(month, -1)) months.push(month);
  return months.toReversed();
}

/** Returns the last day of a month: "2026-02-28" for "2026-02". */
export function lastDayOfMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
