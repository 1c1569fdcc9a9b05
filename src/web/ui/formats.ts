/** Creates a value on its first use. Creating one Intl format takes longer than loading most modules. */
export function lazily<T>(create: () => T): () => T {
  let created: { value: T } | undefined;
  return () => (created ??= { value: create() }).value;
}

const groupDigits = (whole: string): string => whole.replaceAll(/\B(?=(?:\d{3}){1,7}$)/g, ',');

/** At most three decimals: "1,234.5". Without Intl, whose first use would delay many pages; so are those below. */
export function formatNumber(value: number): string {
  const [whole = '', fraction] = String(Number(value.toFixed(3))).split('.');
  return fraction === undefined ? groupDigits(whole) : `${groupDigits(whole)}.${fraction}`;
}

const joinWords = (words: readonly string[], last: string): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

export const formatList = (words: readonly string[]): string => joinWords(words, 'and');

export const formatOrList = (words: readonly string[]): string => joinWords(words, 'or');

/** Formats the time between two ISO 8601 dates: "0.4 s", "12 s", "3 min 20 s"; null where one is missing. */
export function formatDuration(startedAt: string | null, endedAt: string | null): string | null {
  if (startedAt === null || endedAt === null) return null;
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  if (!Number.isFinite(seconds) || seconds < 0) return null;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return whole % 60 ? `${minutes} min ${whole % 60} s` : `${minutes} min`;
}
