const negations = new Set(['no', 'without', 'not', 'never', 'minus']);

const singular = (word: string): string => {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
};

/** A prompt can be as long as a request body, and earlier words weigh more. */
const MAX_CHARACTERS = 8_000;

/**
 * Returns lower-case singular words in order, with each phrase of `phrases` joined by `_`. A word after a negation is
 * left out: "no clouds".
 */
export function promptWords(prompt: string, phrases: ReadonlyMap<string, string>): string[] {
  let text = prompt.slice(0, MAX_CHARACTERS).toLowerCase();
  for (const [phrase, word] of phrases) text = text.replaceAll(phrase, ` ${word} `);
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.filter((_, index) => !negations.has(words[index - 1] ?? '')).map(singular);
}
