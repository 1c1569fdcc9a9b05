/** Creates a value on its first use. Creating one Intl format takes longer than loading most modules. */
export function lazily<T>(create: () => T): () => T {
  let created: { value: T } | undefined;
  return () => (created ??= { value: create() }).value;
}

export const groupDigits = (whole: string): string => whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');

/**
 * Formats a number with three decimals at most: "1,234.5". Like the functions below it avoids Intl, whose first use
 * would delay many pages.
 */
export function formatNumber(value: number): string {
  const [whole = '', fraction] = String(Number(value.toFixed(3))).split('.');
  return fraction === undefined ? groupDigits(whole) : `${groupDigits(whole)}.${fraction}`;
}

const joinWords = (words: readonly string[], last: string): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

export const formatList = (words: readonly string[]): string => joinWords(words, 'and');

export const formatOrList = (words: readonly string[]): string => joinWords(words, 'or');
