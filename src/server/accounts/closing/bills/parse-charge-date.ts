const MONTH_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:[ ,T].{0,30})?$/;
const DAY_FIRST = /^(\d{1,2})[.-](\d{1,2})[.-](\d{4})(?:[ ,T].{0,30})?$/;
const ISO = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/;
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})?$/;

/**
 * Reads a day or a time, in UTC where the cell does not say otherwise. `03/04/2026` is the day that lies in the month of
 * the bill.
 * @param month `2026-11`
 * @returns null for no date, `ambiguous` for two possible days outside of the month
 */
export function parseChargeDate(cell: string, month: string): Date | 'ambiguous' | null {
  const time = ISO_TIME.exec(cell);
  if (time) return parseTime(time[1] ?? '', time[2] ?? '', time[3] ?? 'Z');
  const iso = ISO.exec(cell);
  if (iso) return toDay(iso[1], iso[2], iso[3]);
  const european = DAY_FIRST.exec(cell);
  if (european) return toDay(european[3], european[2], european[1]);
  const slashed = MONTH_FIRST.exec(cell);
  if (!slashed) return null;
  const [american, other] = [toDay(slashed[3], slashed[1], slashed[2]), toDay(slashed[3], slashed[2], slashed[1])];
  if (!american || !other || american.getTime() === other.getTime()) return american ?? other;
  const inMonth = [american, other].filter((day) => day.toISOString().startsWith(month));
  return inMonth.length === 1 ? (inMonth[0] ?? null) : 'ambiguous';
}

function parseTime(day: string, time: string, zone: string): Date | null {
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([+-]\d{2}):?(\d{2})$/, '$1:$2');
  return toPlausible(new Date(`${day}T${time.length === 5 ? `${time}:00` : time}${offset}`));
}

/** null for a day that no month has: `Date` would take the next month's. */
function toDay(year = '', month = '', day = ''): Date | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = toPlausible(new Date(`${text}T00:00:00.000Z`));
  return date?.toISOString().startsWith(text) === true ? date : null;
}

const toPlausible = (date: Date): Date | null => {
  const year = date.getUTCFullYear();
  return year >= 2000 && year < 3000 ? date : null;
};
