type Value = string | number | readonly string[];

/**
 * Splits a line into command-line words: flags('-c:v libx264') or flags`-i file:${file} ${codec}`. Only blanks of the
 * template itself separate words, so a value can contain anything; a list becomes one word per item.
 */
export function flags(line: string | TemplateStringsArray, ...values: Value[]): string[] {
  const texts = typeof line === 'string' ? [line] : line;
  const words: string[] = [];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  for (const [index, text] of texts.entries()) {
    for (const piece of text.split(/(\s+)/)) {
      if (piece.trim() !== '') word = (word ?? '') + piece;
      else if (piece !== '') endWord();
    }
    const value = values[index];
    if (typeof value === 'object') words.push(...value);
    else if (value !== undefined) word = `${word ?? ''}${value}`;
  }
  endWord();
  return words;
}
