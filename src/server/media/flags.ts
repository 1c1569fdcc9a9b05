type Value = string | number | readonly string[];

/**
 * Command-line words, written as one line: flags('-c:v libx264'), or as a template: flags`-i file:${file} ${codec}`.
 * In a template only blanks of the text itself part words, so a value may hold anything; a list gives a word for each
 * item.
 */
export function flags(line: string | TemplateStringsArray, ...values: Value[]): string[] {
  const texts = typeof line === 'string' ? [line] : line;
  const found: string[] = [];
  let word: string | undefined;
  const endWord = (): void => {
    if (word !== undefined) found.push(word);
    word = undefined;
  };
  for (const [index, text] of texts.entries()) {
    for (const piece of text.split(/(\s+)/)) {
      if (piece.trim() !== '') word = (word ?? '') + piece;
      else if (piece !== '') endWord();
    }
    const value = values[index];
    if (typeof value === 'object') found.push(...value);
    else if (value !== undefined) word = `${word ?? ''}${value}`;
  }
  endWord();
  return found;
}
