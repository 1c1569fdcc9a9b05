/** JSON of so many characters is listed whole. */
export const MAX_LISTED_INPUT_CHARACTERS = 4_000;
export const MAX_LISTED_OUTPUT_CHARACTERS = 50_000;

const MAX_TEXT_CHARACTERS = 1_000;

type Json = Readonly<Record<string, unknown>>;

/**
 * What lists show of an object that callers can make as large as a body: its texts cut, and what then is still too long
 * left out.
 * @returns null where the object is short enough to be listed whole
 */
export function createListExcerpt(whole: Json, max_characters: number): Record<string, unknown> | null {
  if (JSON.stringify(whole).length <= max_characters) return null;
  const fields: [string, unknown][] = [];
  let left = max_characters;
  for (const [name, value] of Object.entries(whole)) {
    const shown = typeof value === 'string' ? truncateText(value) : value;
    const length = name.length + JSON.stringify(shown).length;
    if (length > left) continue;
    fields.push([name, shown]);
    left -= length;
  }
  return Object.fromEntries(fields);
}

/** Ends with a whole character. */
const truncateText = (text: string): string =>
  text.length <= MAX_TEXT_CHARACTERS ? text : `${text.slice(0, MAX_TEXT_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
