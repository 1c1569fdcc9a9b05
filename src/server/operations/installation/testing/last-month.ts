/** Such as 2026-11, in UTC: a month that is over. */
export function lastMonth(now: Date): string {
  const month = new Date(now);
  month.setUTCDate(0);
  return month.toISOString().slice(0, 7);
}
