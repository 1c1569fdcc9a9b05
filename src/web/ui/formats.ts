/** What is costly to make, made when it is first asked for: a single Intl format takes longer than most modules. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** "1234567" → "1,234,567" */
export const groupDigits = (whole: string): string => whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** "1,234.5", with three decimals at most. Neither this nor what follows uses Intl, whose first use many a page would wait for. */
export function formatNumber(value: number): string {
  const [whole = '', fraction] = String(Number(value.toFixed(3))).split('.');
  return fraction === undefined ? groupDigits(whole) : `${groupDigits(whole)}.${fraction}`;
}

const joinWords = (words: readonly string[], last: string): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

/** "sound, length and size" */
export const formatList = (words: readonly string[]): string => joinWords(words, 'and');

/** "4, 6 or 8" */
export const formatOrList = (words: readonly string[]): string => joinWords(words, 'or');
