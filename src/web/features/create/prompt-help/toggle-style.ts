import { trimEnd } from '#contract/trim-end.ts';

const SEPARATORS = ' ,;\n\r\t\u00A0';
const escapePattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const pattern = (words: string) =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])${escapePattern(words)}(?![\p{L}\p{N}])`, 'iu');

/** Whether the prompt contains the words of a style, in upper or lower case. */
export const hasStyle = (prompt: string, words: string): boolean => pattern(words).test(prompt);

/** Adds the words of a style at the end of a prompt: as a sentence after a sentence, else after a comma. */
export function addStyle(prompt: string, words: string): string {
  const text = trimEnd(prompt, SEPARATORS);
  if (text === '') return words;
  if (/[.!?…]$/.test(text)) return `${text} ${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
  return `${text}, ${words}`;
}

/** Removes the words of a style with the comma or the full stop that belongs to them. */
export function removeStyle(prompt: string, words: string): string {
  const match = pattern(words).exec(prompt);
  if (!match) return prompt;
  const before = prompt.slice(0, match.index);
  const after = prompt.slice(match.index + match[0].length);
  if (/[.!?…]\s*$/.test(before)) return `${before.trimEnd()}${after.replace(/^\./, '')}`;
  const head = trimEnd(before, SEPARATORS);
  return head === '' ? after.replace(/^[\s,;]+/, '') : `${head}${after}`;
}
