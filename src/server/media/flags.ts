type Value = string | number | readonly string[];

/**
 * Splits one line into command-line arguments: flags('-c:v libx264') or flags`-i file:${file} ${codec}`. In a template
 * only the literal text is split, so a value may contain spaces; each item of a list becomes an argument.
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
