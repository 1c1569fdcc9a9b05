import { cutText } from './cut-text.ts';

/** Values with at most this many JSON characters are listed in full. */
export const MAX_LISTED_INPUT_CHARACTERS = 4_000;
export const MAX_LISTED_OUTPUT_CHARACTERS = 50_000;

const MAX_TEXT_CHARACTERS = 1_000;

type Json = Readonly<Record<string, unknown>>;

/**
 * Creates the excerpt of a large object for lists: truncates texts and omits values that are still too long.
 * @returns null if the object is short enough to be listed in full
 */
export function createListExcerpt(source: Json, maxCharacters: number): Record<string, unknown> | null {
  if (JSON.stringify(source).length <= maxCharacters) return null;
  const fields: [string, unknown][] = [];
  let left = maxCharacters;
  for (const [name, value] of Object.entries(source)) {
    const shown = typeof value === 'string' ? cutText(value, MAX_TEXT_CHARACTERS) : value;
    const length = name.length + JSON.stringify(shown).length;
    if (length > left) continue;
    fields.push([name, shown]);
    left -= length;
  }
  return Object.fromEntries(fields);
}
