const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Local midnight at the start of a day (`YYYY-MM-DD`), or so many days later; undefined where the text is no day. */
export function startOfDay(day: string | undefined, days = 0): Date | undefined {
  if (day === undefined || !DAY.test(day)) return undefined;
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const start = new Date(year, month - 1, date);
  if (start.getMonth() !== month - 1 || start.getDate() !== date) return undefined;
  return new Date(year, month - 1, date + days);
}

/** A local day as `YYYY-MM-DD`. */
export function dayOf(date: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const words = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });

/** "1 Feb 2026 – 3 Feb 2026", "Since 1 Feb 2026"; undefined where neither end is set. Days as `YYYY-MM-DD`, both inclusive. */
export function dayRangeWords(from: string | undefined, to: string | undefined): string | undefined {
  const [first, last] = [from, to].map((day) => day && words.format(startOfDay(day)));
  if (first && last) return first === last ? first : `${first} – ${last}`;
  if (first) return `Since ${first}`;
  return last ? `Until ${last}` : undefined;
}
