/** A month so many months after another, both `YYYY-MM`. */
export function addMonths(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

const MAX_MONTHS = 240;

/** Every month from the first to the last, both `YYYY-MM` and included; of more than 20 years the last. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = last; month >= first && months.length < MAX_MONTHS; month = addMonths(month, -1)) months.push(month);
  return months.toReversed();
}
