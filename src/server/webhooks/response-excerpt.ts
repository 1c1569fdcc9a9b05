const MAX_CHARACTERS = 1_000;

/**
 * The beginning of a receiver's answer as plain text: at most 1,000 characters, without control characters, marks that
 * turn the direction of text, and what is no UTF-8. null where there is nothing to read.
 */
export function responseExcerpt(answer: Uint8Array): string | null {
  const text = new TextDecoder().decode(answer).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd\s]+/gu, ' ');
  const trimmed = [...text.trim()].slice(0, MAX_CHARACTERS).join('');
  return trimmed === '' ? null : trimmed;
}
