/** Counts matches with a blank-separated list; earlier words of a prompt weigh slightly more. */
export function countMatches(words: readonly string[], list: string): number {
  const known = new Set(list.split(' '));
  return words.reduce((sum, word, index) => (known.has(word) ? sum + 1 + 1 / (2 + index) : sum), 0);
}

export const hasWord = (words: readonly string[], list: string): boolean => countMatches(words, list) > 0;

export function findMatches<Key extends string>(words: readonly string[], table: Readonly<Record<Key, string>>): Key[] {
  const keys = Object.keys(table) as Key[];
  return keys
    .map((key) => ({ key, score: countMatches(words, table[key]) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .map(({ key }) => key);
}
