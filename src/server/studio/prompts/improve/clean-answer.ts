const QUOTES: Readonly<Record<string, string>> = { '"': '"', '“': '”', '„': '“', '«': '»', '`': '`' };

/** Removes what models put around an answer: fences of code, or one pair of quotes. */
function unwrap(text: string): string {
  const fenced = /^```\w*\n(.*?)\n?```$/s.exec(text)?.[1] ?? text;
  const trimmed = fenced.trim();
  const closing = QUOTES[trimmed[0] ?? ''];
  const inner = trimmed.slice(1, -1);
  const is_quoted = closing !== undefined && trimmed.length > 1 && trimmed.endsWith(closing);
  return is_quoted && !inner.includes(closing) && !inner.includes(trimmed[0] ?? '') ? inner.trim() : trimmed;
}

/**
 * Makes the answer of a text model a prompt: plain text without control characters, cut to a number of characters.
 * @param max_length in Unicode code points
 */
export function cleanAnswer(answer: string, max_length: number): string {
  // Joiners are part of emoji and of some scripts, so only characters that control are removed.
  const text = unwrap(
    answer
      .replaceAll('\r\n', '\n')
      .replaceAll(/[^\P{Cc}\n\t]/gu, '')
      .trim(),
  );
  const characters = [...text.toWellFormed()];
  return characters.length > max_length ? characters.slice(0, max_length).join('').trimEnd() : characters.join('');
}
